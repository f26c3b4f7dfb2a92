// Mechanical systems: from lambdas, or as a builder makes them.
#ifndef STICTION_MODEL_HPP
#define STICTION_MODEL_HPP

#include "error.hpp"
#include "sink.hpp"
#include "view.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>
#include <vector>

namespace stiction {

/// Sizes and functions of a model. Outputs are zero when a function is called, so only nonzeros
/// need writing. A function may throw: refuse for a point it does not like, anything else ends the
/// step and comes out of it. Views are valid during the call. A model shared by steppers on several
/// threads is called from all of them.
struct functions {
  std::int32_t nq = -1; ///< -1: nv
  std::int32_t nv = 0, n_joint = 0, n_contact = 0, n_dir = 0, n_brake = 0, n_element = 0;
  std::int32_t max_contacts = 0;       ///< the most that come and go at one point
  std::vector<double> mu, restitution; ///< one number per contact; empty: zero

  using vector_in = span<const double>;
  using vector_out = span<double>;
  std::function<void(double t, vector_in q, matrix mass)> mass;
  std::function<void(double t, vector_in q, vector_in v, vector_out force)> force;
  std::function<void(double t, vector_in q, vector_in v, matrix dfdq, matrix dfdv)> force_jac;
  std::function<void(double t, vector_in q, vector_in v, vector_out qdot)> rate;
  std::function<void(double t, vector_in q, vector_out phi, matrix jt)> joint;
  std::function<void(double t, vector_in q, vector_out gap, matrix normal)> gap;
  std::function<void(double t, vector_in q, matrix tangent)> tangent;
  std::function<void(double t, vector_in q, vector_out bound, matrix direction)> brake;
  std::function<void(double t, vector_in q, vector_in d, vector_out moved)> displace;
  std::function<void(double t, vector_in q, vector_in v, vector_out joint, vector_out normal,
                     vector_out tangent)>
      accel;
  std::function<void(double t, vector_in q, vector_out phi, matrix gradient, vector_out stiffness,
                     vector_out damping)>
      element;
  /// Pushes every contact with a gap up to margin.
  std::function<void(double t, vector_in q, double margin, contact_sink &sink)> contacts;
};

namespace detail {

/// What the library calls: finds the functions behind `user` and tells them the sizes.
struct thunks {
  static std::size_t nq(const functions &f) noexcept { return static_cast<std::size_t>(f.nq); }
  static std::size_t nv(const functions &f) noexcept { return static_cast<std::size_t>(f.nv); }
  static std::size_t nj(const functions &f) noexcept { return static_cast<std::size_t>(f.n_joint); }
  static std::size_t nc(const functions &f) noexcept {
    return static_cast<std::size_t>(f.n_contact);
  }
  static const functions &of(void *user) noexcept { return *static_cast<functions *>(user); }

  static int mass(double t, const double *q, double *mass, void *user) {
    const functions &f = of(user);
    return trap([&] { f.mass(t, {q, nq(f)}, {mass, nv(f), nv(f)}); });
  }
  static int force(double t, const double *q, const double *v, double *force, void *user) {
    const functions &f = of(user);
    return trap([&] { f.force(t, {q, nq(f)}, {v, nv(f)}, {force, nv(f)}); });
  }
  static int force_jac(double t, const double *q, const double *v, double *dfdq, double *dfdv,
                       void *user) {
    const functions &f = of(user);
    return trap([&] {
      f.force_jac(t, {q, nq(f)}, {v, nv(f)}, {dfdq, nv(f), nq(f)}, {dfdv, nv(f), nv(f)});
    });
  }
  static int rate(double t, const double *q, const double *v, double *qdot, void *user) {
    const functions &f = of(user);
    return trap([&] { f.rate(t, {q, nq(f)}, {v, nv(f)}, {qdot, nq(f)}); });
  }
  static int joint(double t, const double *q, double *phi, double *jt, void *user) {
    const functions &f = of(user);
    return trap([&] { f.joint(t, {q, nq(f)}, {phi, nj(f)}, {jt, nv(f), nj(f)}); });
  }
  static int gap(double t, const double *q, double *gap, double *normal, void *user) {
    const functions &f = of(user);
    return trap([&] { f.gap(t, {q, nq(f)}, {gap, nc(f)}, {normal, nv(f), nc(f)}); });
  }
  static int tangent(double t, const double *q, double *tangent, void *user) {
    const functions &f = of(user);
    const std::size_t columns = nc(f) * static_cast<std::size_t>(f.n_dir);
    return trap([&] { f.tangent(t, {q, nq(f)}, {tangent, nv(f), columns}); });
  }
  static int brake(double t, const double *q, double *bound, double *direction, void *user) {
    const functions &f = of(user);
    const std::size_t nb = static_cast<std::size_t>(f.n_brake);
    return trap([&] { f.brake(t, {q, nq(f)}, {bound, nb}, {direction, nv(f), nb}); });
  }
  static int displace(double t, const double *q, const double *d, double *moved, void *user) {
    const functions &f = of(user);
    return trap([&] { f.displace(t, {q, nq(f)}, {d, nv(f)}, {moved, nq(f)}); });
  }
  static int accel(double t, const double *q, const double *v, double *joint, double *normal,
                   double *tangent, void *user) {
    const functions &f = of(user);
    const std::size_t nt = nc(f) * static_cast<std::size_t>(f.n_dir);
    return trap([&] {
      f.accel(t, {q, nq(f)}, {v, nv(f)}, {joint, nj(f)}, {normal, nc(f)}, {tangent, nt});
    });
  }
  static int element(double t, const double *q, double *phi, double *gradient, double *stiffness,
                     double *damping, void *user) {
    const functions &f = of(user);
    const std::size_t ne = static_cast<std::size_t>(f.n_element);
    return trap([&] {
      f.element(t, {q, nq(f)}, {phi, ne}, {gradient, nv(f), ne}, {stiffness, ne}, {damping, ne});
    });
  }
  static int contacts(double t, const double *q, double margin, stn_contact_sink *sink,
                      void *user) {
    const functions &f = of(user);
    return trap([&] {
      contact_sink s(sink, nv(f));
      f.contacts(t, {q, nq(f)}, margin, s);
    });
  }
  static void release(void *user) { delete static_cast<functions *>(user); }
};

/// One number per contact, or none at all.
inline const double *per_contact(const std::vector<double> &x, std::int32_t n, const char *what) {
  if (!x.empty())
    expect(x.size(), static_cast<std::size_t>(std::max(n, 0)), what);
  return x.empty() ? nullptr : x.data();
}

} // namespace detail

/// Sizes of a model that is fed with arrays, and what the program gives besides mass, joints, gaps
/// and directions: a mask of STN_WANT_FORCE, STN_WANT_DFDQ + STN_WANT_DFDV, STN_WANT_RATE,
/// STN_WANT_MOVED.
struct passive {
  stn_dims dims = {};
  std::int32_t gives = 0;
  bool moving = false; ///< joints or gaps depend on t at fixed q
  std::int32_t max_points = 0;
  std::vector<double> mu, restitution;
  passive() noexcept { dims.struct_size = sizeof dims; }
};

struct energy {
  double kinetic, potential;
};

/// A mechanical system. It never changes; steppers keep it alive, so it may go before them.
class model {
public:
  /// A model of functions, which it keeps until its last stepper is gone.
  explicit model(functions f) {
    auto kept = std::make_unique<functions>(std::move(f));
    if (kept->nq < 0)
      kept->nq = kept->nv;
    stn_dims dims = {};
    dims.struct_size = sizeof dims;
    dims.nq = kept->nq, dims.nv = kept->nv, dims.n_joint = kept->n_joint;
    dims.n_contact = kept->n_contact, dims.n_dir = kept->n_dir, dims.n_brake = kept->n_brake;
    dims.n_element = kept->n_element;
    stn_model_fns fns = {};
    fns.struct_size = sizeof fns;
    fns.mass = kept->mass ? detail::thunks::mass : nullptr;
    fns.force = kept->force ? detail::thunks::force : nullptr;
    fns.force_jac = kept->force_jac ? detail::thunks::force_jac : nullptr;
    fns.rate = kept->rate ? detail::thunks::rate : nullptr;
    fns.joint = kept->joint ? detail::thunks::joint : nullptr;
    fns.gap = kept->gap ? detail::thunks::gap : nullptr;
    fns.tangent = kept->tangent ? detail::thunks::tangent : nullptr;
    fns.brake = kept->brake ? detail::thunks::brake : nullptr;
    fns.displace = kept->displace ? detail::thunks::displace : nullptr;
    fns.accel = kept->accel ? detail::thunks::accel : nullptr;
    fns.element = kept->element ? detail::thunks::element : nullptr;
    fns.contacts = kept->contacts ? detail::thunks::contacts : nullptr;
    fns.max_contacts = kept->max_contacts;
    fns.release = detail::thunks::release;
    handle_ = detail::create<stn_model, stn_model_destroy>(
        stn_model_create, &dims, &fns, detail::per_contact(kept->mu, dims.n_contact, "mu"),
        detail::per_contact(kept->restitution, dims.n_contact, "restitution"),
        static_cast<void *>(kept.get()));
    kept.release(); // now the library calls release
  }

  /// A model that is never called: a stepper of it says what it wants, see stepper::passive_step.
  explicit model(const passive &p)
      : handle_(detail::create<stn_model, stn_model_destroy>(
            stn_passive_create, &p.dims, p.gives, p.moving ? 1 : 0, p.max_points,
            detail::per_contact(p.mu, p.dims.n_contact, "mu"),
            detail::per_contact(p.restitution, p.dims.n_contact, "restitution"))) {}

  /// Takes over a handle.
  explicit model(detail::owner<stn_model, stn_model_destroy> handle) noexcept
      : handle_(std::move(handle)) {}

  const stn_model *get() const noexcept { return handle_.get(); }

  stn_dims dims() const {
    stn_dims d = {};
    d.struct_size = sizeof d;
    detail::check(stn_model_get_dims(get(), &d));
    return d;
  }

  /// Largest relative error of the derivatives that the model gives; below 1e-6 for correct ones.
  double check(double t, span<const double> q, span<const double> v) const {
    double worst = 0.0;
    detail::done(stn_model_check(get(), t, q.data(), n(q), v.data(), n(v), &worst));
    return worst;
  }

  /// (q, v) that a stepper starts from.
  std::pair<std::vector<double>, std::vector<double>> initial() const {
    const stn_dims d = dims();
    std::vector<double> q(static_cast<std::size_t>(d.nq)), v(static_cast<std::size_t>(d.nv));
    detail::check(stn_model_get_initial(get(), q.data(), d.nq, v.data(), d.nv));
    return {std::move(q), std::move(v)};
  }

  /// Of any model; energy also gives the potential, where there is one.
  double kinetic_energy(double t, span<const double> q, span<const double> v) const {
    double kinetic = 0.0;
    detail::done(stn_model_get_energy(get(), t, q.data(), n(q), v.data(), n(v), &kinetic, nullptr));
    return kinetic;
  }

  stn_consistency check_state(double t, span<const double> q, span<const double> v) const {
    stn_consistency c = {};
    c.struct_size = sizeof c;
    detail::done(stn_model_check_state(get(), t, q.data(), n(q), v.data(), n(v), &c));
    return c;
  }

  /// Moves q and v to the nearest state that satisfies joints and gaps; gives what is left.
  stn_consistency nearest_state(double t, span<double> q, span<double> v) const {
    stn_consistency c = {};
    c.struct_size = sizeof c;
    detail::done(stn_model_nearest_state(get(), t, q.data(), n(q), v.data(), n(v), &c));
    return c;
  }

  /// Coriolis and centrifugal forces that the mass makes, by differences; into your array.
  void coriolis(double t, span<const double> q, span<const double> v, span<double> out) const {
    detail::expect(out.size(), v.size(), "out");
    detail::done(stn_model_coriolis(get(), t, q.data(), n(q), v.data(), n(v), out.data()));
  }

  /// Margin of the friction cone of the contacts with gaps up to near: 0 where impulses can cancel
  /// and bodies may jam, infinite without contacts.
  double cone_margin(double t, span<const double> q, double near = 0.0) const {
    double margin = 0.0;
    detail::done(stn_model_check_cone(get(), t, q.data(), n(q), near, nullptr, &margin));
    return margin;
  }

  /// Of models of built-in bodies, and of functions with elements, whose potential is theirs alone.
  stiction::energy energy(double t, span<const double> q, span<const double> v) const {
    stiction::energy e = {};
    detail::done(
        stn_model_get_energy(get(), t, q.data(), n(q), v.data(), n(v), &e.kinetic, &e.potential));
    return e;
  }

  // The rest is for models of built-in bodies.

  /// Linear and angular momentum, the latter about the origin.
  std::pair<std::array<double, 3>, std::array<double, 3>> momentum(span<const double> q,
                                                                   span<const double> v) const {
    std::array<double, 3> linear = {}, angular = {};
    detail::check(stn_model_get_momentum(get(), q.data(), n(q), v.data(), n(v), linear.data(),
                                         angular.data()));
    return {linear, angular};
  }

  double total_mass() const {
    double mass = 0.0;
    detail::check(stn_model_get_total_mass(get(), &mass));
    return mass;
  }

  struct range {
    std::int32_t q_at, n_q, v_at, n_v;
  };
  range body_range(std::int32_t body) const {
    range r = {};
    detail::check(stn_model_get_body_range(get(), body, &r.q_at, &r.n_q, &r.v_at, &r.n_v));
    return r;
  }
  /// First equation of a joint and how many it has.
  std::pair<std::int32_t, std::int32_t> joint_range(std::int32_t joint) const {
    std::pair<std::int32_t, std::int32_t> r = {};
    detail::check(stn_model_get_joint_range(get(), joint, &r.first, &r.second));
    return r;
  }

  /// The bodies and shapes of a contact, by its key; shape -1 for a limit.
  struct pair {
    std::int32_t body_a, body_b, shape_a, shape_b;
  };
  pair contact_pair(std::int64_t key) const {
    pair p = {};
    detail::check(
        stn_model_get_contact_pair(get(), key, &p.body_a, &p.body_b, &p.shape_a, &p.shape_b));
    return p;
  }

  /// Center of mass x y z and unit quaternion w x y z.
  std::array<double, 7> pose(std::int32_t body, span<const double> q) const {
    std::array<double, 7> p = {};
    detail::check(stn_model_get_pose(get(), body, q.data(), n(q), p.data()));
    return p;
  }

  /// World place and velocity of a point of a body; `at` empty: the center of mass.
  std::pair<std::array<double, 3>, std::array<double, 3>> point(std::int32_t body,
                                                                span<const double> at,
                                                                span<const double> q,
                                                                span<const double> v) const {
    std::array<double, 3> place = {}, velocity = {};
    if (!at.empty())
      detail::expect(at.size(), 3, "at");
    detail::check(stn_model_get_point(get(), body, at.data(), q.data(), n(q), v.data(), n(v),
                                      place.data(), velocity.data()));
    return {place, velocity};
  }

  double joint_coordinate(std::int32_t joint, stn_freedom freedom, span<const double> q) const {
    double value = 0.0;
    detail::check(stn_model_get_joint_coordinate(get(), joint, freedom, q.data(), n(q), &value));
    return value;
  }

private:
  static std::int32_t n(span<const double> x) noexcept {
    return static_cast<std::int32_t>(x.size());
  }

  detail::owner<stn_model, stn_model_destroy> handle_;
};

} // namespace stiction

#endif
