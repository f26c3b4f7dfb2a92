// Built-in bodies: one function for each of stn_builder_*.
#ifndef STICTION_BUILDER_HPP
#define STICTION_BUILDER_HPP

#include "model.hpp"

#include <functional>
#include <limits>

namespace stiction {

/// Collects bodies and what acts between them. Bodies, joints, shapes and materials are numbers,
/// counted from zero; STN_GROUND is the world. Points are 3 numbers in body coordinates; an empty
/// one is the center of mass.
class builder {
public:
  using numbers = span<const double>;
  using signal = std::function<double(double t)>;
  using vector_signal = std::function<void(double t, span<double> value)>;
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  builder() : handle_(detail::create<stn_builder, stn_builder_destroy>(stn_builder_create)) {}

  stn_builder *get() const noexcept { return handle_.get(); }

  /// A model of everything added so far; the builder can be used further.
  model build() const {
    return model(detail::create<stn_model, stn_model_destroy>(
        stn_builder_build, static_cast<const stn_builder *>(get())));
  }

  void set_gravity(numbers g) { detail::check(stn_builder_set_gravity(get(), n(g, 3, "gravity"))); }
  void set_facets(std::int32_t count) { detail::check(stn_builder_set_facets(get(), count)); }

  // Bodies

  std::int32_t add_point2(double mass, numbers at) {
    return add(stn_builder_add_point2, mass, n(at, 2, "at"));
  }
  std::int32_t add_point3(double mass, numbers at) {
    return add(stn_builder_add_point3, mass, n(at, 3, "at"));
  }
  std::int32_t add_planar(double mass, double inertia, numbers at, double angle = 0.0) {
    return add(stn_builder_add_planar, mass, inertia, n(at, 2, "at"), angle);
  }
  std::int32_t add_spatial(double mass, numbers inertia, numbers pose) {
    return add(stn_builder_add_spatial, mass, n(inertia, 9, "inertia"), n(pose, 7, "pose"));
  }
  void set_velocity(std::int32_t body, numbers linear, numbers angular = {}) {
    detail::check(stn_builder_set_velocity(get(), body, n(linear, 3, "linear"),
                                           optional(angular, 3, "angular")));
  }

  // Joints

  std::int32_t add_joint(stn_joint_kind kind, std::int32_t a, std::int32_t b, numbers at,
                         numbers axis = {}, numbers axis_b = {}) {
    return add(stn_builder_add_joint, kind, a, b, n(at, 3, "at"), optional(axis, 3, "axis"),
               optional(axis_b, 3, "axis_b"));
  }
  std::int32_t add_rod(std::int32_t a, numbers at_a, std::int32_t b, numbers at_b,
                       double length = 0.0) {
    return add(stn_builder_add_rod, a, optional(at_a, 3, "at_a"), b, optional(at_b, 3, "at_b"),
               length);
  }
  std::int32_t add_drive(std::int32_t joint, stn_freedom freedom, signal motion) {
    std::int32_t drive = 0;
    give(std::move(motion), [&](signal *kept) {
      return stn_builder_add_drive(get(), joint, freedom, value_of, kept, release<signal>, &drive);
    });
    return drive;
  }
  void add_limit(std::int32_t joint, stn_freedom freedom, double low = -infinity,
                 double high = infinity, double restitution = 0.0) {
    detail::check(stn_builder_add_limit(get(), joint, freedom, low, high, restitution));
  }
  void add_distance_limit(std::int32_t a, numbers at_a, std::int32_t b, numbers at_b,
                          double low = -infinity, double high = infinity,
                          double restitution = 0.0) {
    detail::check(stn_builder_add_distance_limit(
        get(), a, optional(at_a, 3, "at_a"), b, optional(at_b, 3, "at_b"), low, high, restitution));
  }

  // Forces

  void add_spring(std::int32_t a, numbers at_a, std::int32_t b, numbers at_b, double stiffness,
                  double damping = 0.0, double rest = 0.0) {
    detail::check(stn_builder_add_spring(get(), a, optional(at_a, 3, "at_a"), b,
                                         optional(at_b, 3, "at_b"), stiffness, damping, rest));
  }
  void add_bushing(std::int32_t a, numbers at_a, std::int32_t b, numbers at_b, double stiffness,
                   double damping = 0.0) {
    detail::check(stn_builder_add_bushing(get(), a, optional(at_a, 3, "at_a"), b,
                                          optional(at_b, 3, "at_b"), stiffness, damping));
  }
  void add_joint_spring(std::int32_t joint, stn_freedom freedom, double stiffness,
                        double damping = 0.0, double rest = 0.0) {
    detail::check(stn_builder_add_joint_spring(get(), joint, freedom, stiffness, damping, rest));
  }
  /// Dry friction along a free coordinate of a joint, of at most bound, N m or N.
  void add_joint_friction(std::int32_t joint, stn_freedom freedom, double bound) {
    detail::check(stn_builder_add_joint_friction(get(), joint, freedom, bound));
  }
  void add_motor(std::int32_t joint, stn_freedom freedom, signal force) {
    give(std::move(force), [&](signal *kept) {
      return stn_builder_add_motor(get(), joint, freedom, value_of, kept, release<signal>);
    });
  }
  void add_force(std::int32_t body, numbers at, vector_signal force) {
    const double *p = optional(at, 3, "at");
    give(std::move(force), [&](vector_signal *kept) {
      return stn_builder_add_force(get(), body, p, vector_of, kept, release<vector_signal>);
    });
  }
  void add_torque(std::int32_t body, vector_signal torque) {
    give(std::move(torque), [&](vector_signal *kept) {
      return stn_builder_add_torque(get(), body, vector_of, kept, release<vector_signal>);
    });
  }

  // Contact

  std::int32_t add_material() { return add(stn_builder_add_material); }
  void set_surface(std::int32_t a, std::int32_t b, double mu, double restitution = 0.0,
                   numbers axis = {}, double mu_across = 0.0) {
    detail::check(stn_builder_set_surface(get(), a, b, mu, restitution, optional(axis, 3, "axis"),
                                          mu_across));
  }
  std::int32_t add_ball(std::int32_t body, double radius, numbers pose = {},
                        std::int32_t material = 0) {
    return add(stn_builder_add_ball, body, radius, optional(pose, 7, "pose"), material);
  }
  std::int32_t add_capsule(std::int32_t body, double half_length, double radius, numbers pose = {},
                           std::int32_t material = 0) {
    return add(stn_builder_add_capsule, body, half_length, radius, optional(pose, 7, "pose"),
               material);
  }
  std::int32_t add_box(std::int32_t body, numbers half, numbers pose = {},
                       std::int32_t material = 0) {
    return add(stn_builder_add_box, body, n(half, 3, "half"), optional(pose, 7, "pose"), material);
  }
  /// The convex hull of points of the plane: x y of each in turn.
  std::int32_t add_polygon(std::int32_t body, numbers vertices, numbers pose = {},
                           std::int32_t material = 0) {
    n(vertices, vertices.size() / 2 * 2, "vertices");
    return add(stn_builder_add_polygon, body, static_cast<std::int32_t>(vertices.size() / 2),
               vertices.data(), optional(pose, 7, "pose"), material);
  }
  std::int32_t add_half_space(std::int32_t body, numbers normal, numbers pose = {},
                              std::int32_t material = 0) {
    return add(stn_builder_add_half_space, body, n(normal, 3, "normal"), optional(pose, 7, "pose"),
               material);
  }
  /// The convex hull of points in space: x y z of each in turn.
  std::int32_t add_hull(std::int32_t body, numbers points, numbers pose = {},
                        std::int32_t material = 0) {
    n(points, points.size() / 3 * 3, "points");
    return add(stn_builder_add_hull, body, static_cast<std::int32_t>(points.size() / 3),
               points.data(), optional(pose, 7, "pose"), material);
  }
  /// A sheet of triangles, solid below: x y z of each corner, three numbers of corners each.
  std::int32_t add_mesh(std::int32_t body, numbers vertices, span<const std::int32_t> triangles,
                        numbers pose = {}, std::int32_t material = 0) {
    n(vertices, vertices.size() / 3 * 3, "vertices");
    detail::expect(triangles.size(), triangles.size() / 3 * 3, "triangles");
    return add(stn_builder_add_mesh, body, static_cast<std::int32_t>(vertices.size() / 3),
               vertices.data(), static_cast<std::int32_t>(triangles.size() / 3), triangles.data(),
               optional(pose, 7, "pose"), material);
  }
  /// Heights over a grid of nx by ny points, those along x side by side, around the pose.
  std::int32_t add_height_field(std::int32_t body, std::int32_t nx, std::int32_t ny, double size_x,
                                double size_y, numbers heights, numbers pose = {},
                                std::int32_t material = 0) {
    const std::size_t wanted =
        static_cast<std::size_t>(nx > 0 ? nx : 0) * static_cast<std::size_t>(ny > 0 ? ny : 0);
    return add(stn_builder_add_height_field, body, nx, ny, size_x, size_y,
               n(heights, wanted, "heights"), optional(pose, 7, "pose"), material);
  }
  void set_groups(std::int32_t shape, std::uint32_t group, std::uint32_t meets) {
    detail::check(stn_builder_set_groups(get(), shape, group, meets));
  }

private:
  static const double *n(numbers x, std::size_t wanted, const char *what) {
    detail::expect(x.size(), wanted, what);
    return x.data();
  }
  static const double *optional(numbers x, std::size_t wanted, const char *what) {
    return x.empty() ? nullptr : n(x, wanted, what);
  }
  /// Calls a function whose last argument receives a number.
  template <class F, class... Args> std::int32_t add(F function, Args... args) {
    std::int32_t number = 0;
    detail::check(function(get(), args..., &number));
    return number;
  }

  /// A value that is no number stops the step; the exception behind it then comes out.
  static double value_of(double t, void *user) {
    double value = std::numeric_limits<double>::quiet_NaN();
    detail::trap([&] { value = (*static_cast<signal *>(user))(t); });
    return value;
  }
  static void vector_of(double t, double *value, void *user) {
    if (detail::trap([&] { (*static_cast<vector_signal *>(user))(t, {value, 3}); }) != 0)
      value[0] = std::numeric_limits<double>::quiet_NaN();
  }
  template <class S> static void release(void *user) { delete static_cast<S *>(user); }
  /// Hands a signal to the library, which calls release only after success.
  template <class S, class F> static void give(S signal, F &&call) {
    auto kept = std::make_unique<S>(std::move(signal));
    detail::check(call(kept.get()));
    kept.release();
  }

  detail::owner<stn_builder, stn_builder_destroy> handle_;
};

} // namespace stiction

#endif
