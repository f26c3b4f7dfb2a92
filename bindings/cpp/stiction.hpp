// Stiction for C++17: owners for the handles of stiction.h, models from lambdas, statuses as
// exceptions.
//
// Everything is header-only and thin; stiction.h says what each call computes. Failures throw
// stiction::error with the library's text. An exception thrown inside a model or a signal is caught
// before it reaches the library and thrown again by the call that led there. Arrays are borrowed,
// never copied: anything with data() and size() will do, such as std::vector, std::array or an
// Eigen vector. Include Eigen first to get maps, see stiction/view.hpp. Objects move and do not
// copy. MIT OR Apache-2.0.
#ifndef STICTION_HPP
#define STICTION_HPP

#include "stiction/builder.hpp"
#include "stiction/error.hpp"
#include "stiction/lcp.hpp"
#include "stiction/model.hpp"
#include "stiction/stepper.hpp"
#include "stiction/view.hpp"

#endif
