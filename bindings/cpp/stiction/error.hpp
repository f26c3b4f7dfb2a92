// From statuses to exceptions and back, and the owner of a handle.
#ifndef STICTION_ERROR_HPP
#define STICTION_ERROR_HPP

#include <stiction.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace stiction {

/// A call that failed; nothing was changed by it.
class error : public std::runtime_error {
public:
  error(stn_status status, const std::string &text)
      : std::runtime_error(std::string(stn_status_name(status)) + ": " + text), status_(status) {}
  stn_status status() const noexcept { return status_; }

private:
  stn_status status_;
};

/// Throw it in a function of a model to refuse a point: the step returns STN_REJECTED, the state
/// stays as it was.
struct refuse : std::exception {
  const char *what() const noexcept override { return "a function of the model refused a point"; }
};

namespace detail {

/// An exception that waits for its call to come back; each thread has its own.
inline std::exception_ptr &waiting() noexcept {
  static thread_local std::exception_ptr exception;
  return exception;
}

/// Runs what the library calls; nothing gets out of it but a number.
template <class F> int trap(F &&f) noexcept {
  try {
    f();
    return 0;
  } catch (const refuse &) {
    return 1;
  } catch (...) {
    waiting() = std::current_exception();
    return -1;
  }
}

inline std::string last_error() {
  std::string text(static_cast<std::size_t>(stn_last_error(nullptr, 0)) + 1, '\0');
  stn_last_error(text.data(), static_cast<std::int32_t>(text.size()));
  text.pop_back();
  return text;
}

[[noreturn]] inline void fail(stn_status status) {
  if (std::exception_ptr thrown = std::exchange(waiting(), nullptr))
    std::rethrow_exception(thrown);
  throw error(status, last_error());
}

/// STN_OK and the soft outcomes pass, failures throw.
inline stn_status check(stn_status status) {
  if (status < 0)
    fail(status);
  return status;
}

/// As check where a refused point leaves no answer.
inline void done(stn_status status) {
  if (check(status) != STN_OK)
    throw refuse();
}

/// Refuses an array that is not as long as the library will read or write.
inline std::int32_t expect(std::size_t size, std::size_t wanted, const char *what) {
  if (size != wanted)
    throw error(STN_ERR_DIMENSION, std::string(what) + " has " + std::to_string(size) +
                                       " numbers, must have " + std::to_string(wanted));
  return static_cast<std::int32_t>(size);
}

template <class T, void (*Destroy)(T *)> struct destroyer {
  void operator()(T *handle) const noexcept { Destroy(handle); }
};
template <class T, void (*Destroy)(T *)> using owner = std::unique_ptr<T, destroyer<T, Destroy>>;

/// Calls a create function and owns what it makes.
template <class T, void (*Destroy)(T *), class F, class... Args>
owner<T, Destroy> create(F function, Args... args) {
  // Header and library may come from different installations.
  if (stn_abi_version() != STN_ABI_VERSION)
    throw error(STN_ERR_ABI, "the library has the binary interface " +
                                 std::to_string(stn_abi_version()) + ", the header " +
                                 std::to_string(STN_ABI_VERSION));
  T *handle = nullptr;
  check(function(args..., &handle));
  return owner<T, Destroy>(handle);
}

} // namespace detail
} // namespace stiction

#endif
