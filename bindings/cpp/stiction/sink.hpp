// Contacts that come and go: what a function of a model pushes them into.
#ifndef STICTION_SINK_HPP
#define STICTION_SINK_HPP

#include "error.hpp"
#include "view.hpp"

namespace stiction {

/// Takes the contacts of one point, each by the key that the program knows it by. Valid during the
/// call that got it. A push that fails throws, and fails the step.
class contact_sink {
public:
  contact_sink(stn_contact_sink *sink, std::size_t nv) noexcept : sink_(sink), nv_(nv) {}

  /// nv numbers, and nv by n_dir friction directions: column k + n_dir/2 = - column k.
  void push(std::int64_t key, double gap, span<const double> normal, const_matrix tangent = {},
            double mu = 0.0, double restitution = 0.0) {
    detail::expect(normal.size(), nv_, "normal");
    const std::int32_t n_dir = columns(tangent, nv_);
    detail::check(
        stn_contact_push(sink_, key, gap, normal.data(), n_dir, tangent.data(), mu, restitution));
  }

  /// Friction directions are the corners of a polygon: cos first + sin second.
  void push_tangents(std::int64_t key, double gap, span<const double> normal, std::int32_t facets,
                     span<const double> first, span<const double> second, double mu,
                     double restitution = 0.0) {
    detail::expect(normal.size(), nv_, "normal");
    detail::expect(first.size(), nv_, "first");
    detail::expect(second.size(), nv_, "second");
    detail::check(stn_contact_push_tangents(sink_, key, gap, normal.data(), facets, first.data(),
                                            second.data(), mu, restitution));
  }

  /// Columns on a few velocity coordinates, those of the two bodies that touch, say.
  void push_sparse(std::int64_t key, double gap, span<const std::int32_t> index,
                   span<const double> normal, const_matrix tangent = {}, double mu = 0.0,
                   double restitution = 0.0) {
    const std::int32_t n = detail::expect(normal.size(), index.size(), "normal");
    const std::int32_t n_dir = columns(tangent, index.size());
    detail::check(stn_contact_push_sparse(sink_, key, gap, n, index.data(), normal.data(), n_dir,
                                          tangent.data(), mu, restitution));
  }

  /// Contacts that were pushed become branches of a group: at least one of their gaps must hold. All
  /// branches of a group are pushed and joined, or none.
  void join(std::int64_t group, span<const std::int64_t> keys) {
    const std::int32_t n = detail::expect(keys.size(), keys.size(), "keys");
    detail::check(stn_contact_join(sink_, group, n, keys.data()));
  }

  stn_contact_sink *get() const noexcept { return sink_; }

private:
  static std::int32_t columns(const_matrix m, std::size_t rows) {
    if (m.columns() > 0) {
      detail::expect(m.rows(), rows, "tangent");
      detail::expect(m.stride(), rows, "tangent"); // the library takes columns side by side
    }
    return static_cast<std::int32_t>(m.columns());
  }

  stn_contact_sink *sink_;
  std::size_t nv_;
};

} // namespace stiction

#endif
