// What the C++ binding promises beyond stiction.h: ownership, exceptions, sizes. Every function of
// it is called here. With Eigen included first the maps are tried too.
#if __has_include(<Eigen/Core>)
#include <Eigen/Core>
#endif
#include <stiction.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <thread>
#include <type_traits>

#define REQUIRE(condition)                                                                         \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                         \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

template <class F> static stn_status status_of(F &&f) {
  try {
    f();
  } catch (const stiction::error &e) {
    REQUIRE(std::string(e.what()).find(stn_status_name(e.status())) == 0);
    return e.status();
  }
  return STN_OK;
}

static bool near(double a, double b, double tolerance = 1e-12) {
  return std::fabs(a - b) <= tolerance;
}

// 2 kg under 10 m/s^2, e = 0.5: dropped from 1 m it lands after sqrt(0.2) s.
static stiction::functions ball() {
  stiction::functions f;
  f.nv = f.n_contact = 1;
  f.restitution = {0.5};
  f.mass = [](double, auto, stiction::matrix m) { m(0, 0) = 2.0; };
  f.force = [](double, auto, auto, stiction::span<double> force) { force[0] = -20.0; };
  f.gap = [](double, auto q, stiction::span<double> gap, stiction::matrix normal) {
    gap[0] = q[0];
    normal(0, 0) = 1.0;
  };
  return f;
}

static stiction::stepper dropped(stiction::functions f, const stiction::stepper_options &o = {}) {
  stiction::stepper s(stiction::model(std::move(f)), o);
  s.set_state(0.0, {1.0}, {0.0});
  return s;
}

static void handles_move_and_do_not_copy() {
  static_assert(std::is_nothrow_move_constructible_v<stiction::stepper>);
  static_assert(std::is_nothrow_move_assignable_v<stiction::model>);
  static_assert(!std::is_copy_constructible_v<stiction::lcp>);
  static_assert(!std::is_copy_constructible_v<stiction::builder>);
  stiction::stepper a = dropped(ball());
  stiction::stepper b = std::move(a);
  REQUIRE(b.advance(1.0, 0.01) == STN_EVENT);
  REQUIRE(status_of([&] { a.step(0.01); }) == STN_ERR_NULL); // moved from, on purpose
}

static void complementarity_problems_are_solved_where_they_lie() {
  // w = (z1 + 2 z2 - 4, z2 - 1): z = (2, 1). In a larger array, so that columns are 3 apart.
  const double large[] = {1, 0, 9, 2, 1, 9};
  const stiction::const_matrix m(large, 2, 2, 3);
  stiction::lcp lcp(2);
  const auto s = lcp.solve(m, {-4.0, -1.0});
  REQUIRE(near(s.z[0], 2.0) && near(s.z[1], 1.0) && s.info.residual <= 1e-9);
  std::vector<double> z(2);
  lcp.solve_again(m, {-4.0, -2.0}, z);
  REQUIRE(near(z[0], 0.0) && near(z[1], 2.0));
  REQUIRE(near(lcp.solve_again(m, {-4.0, -1.0}).z[0], 2.0));
  REQUIRE(stiction::lcp_residual(m, {-4.0, -1.0}, {2.0, 1.0}) <= 1e-9);
  const std::vector<std::int64_t> keys = {40, 10};
  lcp.solve(m, {-4.0, -1.0}, z);
  REQUIRE((lcp.get_basis(keys) == std::vector<std::int64_t>{10, 40}));
  lcp.set_basis(keys, keys);
  REQUIRE(lcp.solve(m, {-4.0, -1.0}).info.warm == 1);
  REQUIRE(near(lcp.solve_mixed(1, m, {-4.0, -1.0}).x[0], 2.0));
  REQUIRE(status_of([&] { lcp.solve(m, {1.0}); }) == STN_ERR_DIMENSION);
  REQUIRE(status_of([&] { lcp.solve_mixed(3, m, {1.0, 1.0}); }) == STN_ERR_DIMENSION);
  const double minus = -1.0;
  REQUIRE(status_of([&] { lcp.solve({&minus, 1, 1}, {-1.0}); }) == STN_ERR_LCP_RAY);
  REQUIRE(lcp.get_ray(stiction::span<double>(z.data(), 1)));
  stiction::lcp_options o;
  o.tolerance = 2.0;
  REQUIRE(status_of([&] { lcp.set_options(o); }) == STN_ERR_VALUE);
}

static void progress_is_told_and_may_throw() {
  // Random numbers of a fixed recipe make a problem of more than 128 pivots.
  const std::size_t n = 300;
  std::vector<double> a(n * n), m(n * n, 0.0), q(n), z(n);
  std::uint64_t state = 1;
  const auto next = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) / 9007199254740992.0 - 0.5;
  };
  for (double &x : a)
    x = next();
  for (double &x : q)
    x = next();
  for (std::size_t j = 0; j < n; j++)
    for (std::size_t k = 0; k < n; k++)
      for (std::size_t i = 0; i < n; i++)
        m[i + j * n] += a[i + k * n] * a[j + k * n];
  stiction::lcp lcp(static_cast<std::int32_t>(n));
  int told = 0;
  lcp.set_progress([&](std::int64_t, double) { told++; });
  lcp.solve({m.data(), n, n}, q, z);
  REQUIRE(told > 0);
  stiction::lcp_options afresh;
  afresh.warm = 0;
  lcp.set_options(afresh);
  lcp.set_progress([](std::int64_t, double) { throw 7; });
  int thrown = 0;
  try {
    lcp.solve({m.data(), n, n}, q, z);
  } catch (int number) {
    thrown = number;
  }
  REQUIRE(thrown == 7);
  lcp.set_progress(nullptr);
  lcp.solve({m.data(), n, n}, q, z);
}

static void contacts_and_impacts_agree_with_closed_forms() {
  // README of the library: a sliding ball rolls after the impact, v = 5/7 of before.
  const double m = 0.5, r = 0.1, mass[9] = {m, 0, 0, 0, m, 0, 0, 0, 0.4 * m * r * r};
  const double normal[3] = {0, 1, 0}, tangent[6] = {1, 0, r, -1, 0, -r}, mu[1] = {0.3};
  stiction::contacts c;
  c.mass = {mass, 3, 3}, c.normal = {normal, 3, 1}, c.tangent = {tangent, 3, 2}, c.mu = mu;
  stiction::lcp lcp(c.n_max());
  const auto hit = lcp.solve_impact(STN_IMPACT_POISSON, c, {0.8}, {2.0, -3.0, 0.0});
  REQUIRE(near(hit.v[0], 10.0 / 7.0) && near(hit.v[1], 2.4) && near(hit.normal_impulse[0], 2.7));
  REQUIRE(hit.v_compression.size() == 3 && hit.friction_impulse.size() == 2);
  const auto held = lcp.solve_contact(c, {0.0, -2.0 * m, 0.0});
  REQUIRE(near(held.v[1], 0.0) && near(held.normal_impulse[0], 1.0));
  stiction::trapezoid_step t;
  const double weight[3] = {0, -5, 0}, still[3] = {0, 0, 0};
  t.h = 0.1, t.force_start = t.force_end = weight, t.v = still;
  REQUIRE(near(lcp.solve_trapezoid(c, t).normal_impulse[0], 0.5));
  REQUIRE(status_of([&] { lcp.solve_contact(c, {1.0}); }) == STN_ERR_DIMENSION);
  t.joint_offset = still;
  REQUIRE(status_of([&] { lcp.solve_trapezoid(c, t); }) == STN_ERR_DIMENSION);
}

static void a_ball_lands_when_it_must_and_events_are_a_range() {
  stiction::stepper s = dropped(ball());
  REQUIRE(s.advance(0.7, 0.01) == STN_EVENT);
  REQUIRE(s.events().size() == 1 && !s.events().empty());
  int count = 0;
  for (const stn_event &e : s.events()) {
    count++;
    REQUIRE(e.kind == STN_EVENT_IMPACT && near(e.t, std::sqrt(0.2)));
    REQUIRE(near(e.speed_after, -0.5 * e.speed_before));
  }
  REQUIRE(count == 1 && s.events().begin()->contact == 0);
  const double flight = 0.7 - std::sqrt(0.2), up = std::sqrt(5.0);
  REQUIRE(near(s.q()[0], up * flight - 5.0 * flight * flight) && s.t() == 0.7);
  double q[1], v[1];
  REQUIRE(s.get_state(q, v) == 0.7 && v[0] == s.v()[0] && s.stats().impacts == 1);
  std::vector<double> two(2);
  REQUIRE(status_of([&] { s.get_state(two, v); }) == STN_ERR_DIMENSION);
}

static void a_snapshot_continues_with_the_same_bits() {
  stiction::stepper a = dropped(ball()), b = dropped(ball());
  a.advance(0.4, 0.01);
  b.restore(a.save());
  a.advance(1.0, 0.01), b.advance(1.0, 0.01);
  REQUIRE(a.q() == b.q() && a.v() == b.v());
  const std::vector<unsigned char> nothing(8);
  REQUIRE(status_of([&] { b.restore(nothing); }) == STN_ERR_VALUE);
}

static void books_contacts_and_impulses_are_read() {
  stiction::stepper s = dropped(ball());
  s.advance(0.6, 0.01);
  // The impact at sqrt(20) m/s kept a quarter of the energy.
  REQUIRE(near(s.ledger().impact, 15.0, 1e-9) &&
          near(s.ledger().kinetic, s.v()[0] * s.v()[0], 1e-9));
  stiction::functions dull = ball();
  dull.restitution = {0.0};
  stiction::stepper rest = dropped(std::move(dull));
  rest.advance(1.0, 0.01);
  REQUIRE(near(rest.impulses().normal[0], 0.2, 1e-9)); // the weight of one step
  REQUIRE(rest.contact(0).mode != STN_CONTACT_OPEN && rest.ledger(STN_LEDGER_STEP).kinetic == 0.0);
  REQUIRE(near(rest.forces().normal[0], 20.0, 1e-9) && near(rest.forces().acceleration[0], 0.0));
  double q[1], v[1];
  rest.get_state_at(0.995, q, v);
  REQUIRE(near(q[0], 0.0, 1e-9));
}

static void a_brake_holds_up_to_its_bound() {
  for (double push : {2.9, 5.0}) {
    stiction::functions f;
    f.nv = f.n_brake = 1;
    f.mass = [](double, auto, stiction::matrix m) { m(0, 0) = 1.0; };
    f.force = [push](double, auto, auto, stiction::span<double> force) { force[0] = push; };
    f.brake = [](double, auto, stiction::span<double> bound, stiction::matrix direction) {
      bound[0] = 3.0, direction(0, 0) = 1.0;
    };
    stiction::stepper s{stiction::model(std::move(f))};
    s.advance(1.0, 0.01);
    REQUIRE(push < 3.0 ? s.q()[0] == 0.0 : near(s.q()[0], 0.5 * (push - 3.0), 1e-9));
    REQUIRE(near(s.brake_impulses()[0], -0.01 * std::fmin(push, 3.0)));
  }
}

static void a_passive_model_moves_with_the_bits_of_functions() {
  stiction::passive p;
  p.dims.nq = p.dims.nv = p.dims.n_contact = 1;
  p.gives = STN_WANT_FORCE;
  p.restitution = {0.5};
  stiction::stepper a{stiction::model(p)}, b = dropped(ball());
  a.set_state(0.0, {1.0}, {0.0});
  for (int k = 0; k < 100; k++) {
    while (a.passive_step(0.01) == STN_WANTED)
      for (const stiction::request &r : a.requests()) {
        if (r.what & STN_WANT_MASS)
          a.put(r, STN_WANT_MASS, {2.0});
        if (r.what & STN_WANT_FORCE)
          a.put(r, STN_WANT_FORCE, {-20.0});
        if (r.what & STN_WANT_GAP)
          a.put(r, STN_WANT_GAP, r.q);
        if (r.what & STN_WANT_NORMAL)
          a.put(r, STN_WANT_NORMAL, {1.0});
      }
    b.step(0.01);
  }
  REQUIRE(a.q() == b.q() && a.v() == b.v());
  REQUIRE(a.passive_step(0.01) == STN_WANTED);
  a.cancel();
  REQUIRE(a.requests().empty() && status_of([&] { a.step(0.01); }) == STN_ERR_VALUE);
}

struct landslide {
  double t;
};

static void what_a_function_throws_comes_out_of_the_call() {
  stiction::functions f = ball();
  f.force = [](double t, auto, auto, stiction::span<double> force) {
    force[0] = -20.0;
    if (t > 0.1)
      throw landslide{t};
  };
  stiction::stepper s = dropped(std::move(f));
  double at = 0.0;
  try {
    s.advance(1.0, 0.01);
  } catch (const landslide &e) {
    at = e.t;
  }
  REQUIRE(at > 0.1 && s.t() < at && s.t() > 0.08);
  REQUIRE(status_of([&] { s.step(-1.0); }) == STN_ERR_VALUE); // the landslide is over
}

static void a_refused_point_rejects_the_step() {
  stiction::functions f = ball();
  f.force = [](double, auto q, auto, stiction::span<double> force) {
    force[0] = -20.0;
    if (q[0] < 0.9)
      throw stiction::refuse();
  };
  stiction::stepper s = dropped(std::move(f));
  stn_status last = STN_OK;
  for (int k = 0; k < 3; k++)
    last = s.step(0.1);
  REQUIRE(last == STN_REJECTED && s.q()[0] >= 0.9);
}

static void options_and_checks_go_through() {
  stiction::stepper_options o;
  o.method = STN_METHOD_EULER;
  stiction::stepper s = dropped(ball(), o);
  s.advance(1.0, 0.1);
  REQUIRE(s.stats().steps == 10);
  o.method = 99;
  REQUIRE(status_of([&] { dropped(ball(), o); }) == STN_ERR_VALUE);
  const stiction::model right(ball());
  REQUIRE(right.check(0.0, {1.0}, {1.0}) < 1e-6 && right.dims().n_contact == 1);
  REQUIRE(near(right.kinetic_energy(0.0, {1.0}, {3.0}), 9.0) && right.initial().first[0] == 0.0);
  REQUIRE(near(right.check_state(0.0, {-0.5}, {0.0}).depth, 0.5));
  std::vector<double> q = {-0.5}, v = {0.0};
  right.nearest_state(0.0, q, v);
  REQUIRE(near(q[0], 0.0, 1e-9));
  stiction::functions no_mass = ball();
  no_mass.mass = nullptr;
  REQUIRE(status_of([&] { stiction::model m(std::move(no_mass)); }) == STN_ERR_NULL);
  stiction::functions short_mu = ball();
  short_mu.mu = {0.1, 0.2};
  REQUIRE(status_of([&] { stiction::model m(std::move(short_mu)); }) == STN_ERR_DIMENSION);
}

static void all_functions_of_a_model_are_called() {
  // A spring pendulum in polar coordinates would do; plain: a point on the x axis, driven and
  // rubbed.
  int called[6] = {0, 0, 0, 0, 0, 0};
  stiction::functions f;
  f.nq = f.nv = 2, f.n_joint = 1, f.n_contact = 1, f.n_dir = 2;
  f.mu = {0.5};
  f.mass = [](double, auto, stiction::matrix m) { m(0, 0) = m(1, 1) = 1.0; };
  f.force = [](double, auto q, auto v, stiction::span<double> out) {
    out[0] = -4.0 * q[0] - v[0];
    out[1] = -10.0;
  };
  f.force_jac = [&](double, auto, auto, stiction::matrix dfdq, stiction::matrix dfdv) {
    dfdq(0, 0) = -4.0, dfdv(0, 0) = -1.0, called[0]++;
  };
  f.rate = [&](double, auto, auto v, stiction::span<double> qdot) {
    qdot[0] = v[0], qdot[1] = v[1], called[1]++;
  };
  f.joint = [&](double, auto q, stiction::span<double> phi, stiction::matrix jt) {
    phi[0] = q[1] - 0.0 * q[0], jt(1, 0) = 1.0, called[2]++;
  };
  f.gap = [](double, auto q, stiction::span<double> gap, stiction::matrix normal) {
    gap[0] = q[1] + 1.0, normal(1, 0) = 1.0;
  };
  f.displace = [&](double, auto q, auto d, stiction::span<double> moved) {
    moved[0] = q[0] + d[0], moved[1] = q[1] + d[1], called[4]++;
  };
  f.accel = [&](double, auto, auto, auto, auto, auto) { called[5]++; }; // straight lines: nothing
  f.tangent = [&](double, auto, stiction::matrix d) { d(0, 0) = 1.0, d(0, 1) = -1.0, called[3]++; };
  stiction::stepper s{stiction::model(std::move(f))};
  s.set_state(0.0, {1.0, 0.0}, {0.0, 0.0});
  s.advance(0.5, 0.01);
  s.forces();
  for (int count : called)
    REQUIRE(count > 0);
}

static void bodies_are_built_and_answer() {
  stiction::builder b;
  b.set_gravity({0.0, -9.81, 0.0});
  const auto rod = b.add_planar(1.0, 1.0 / 12.0, {0.5, 0.0}, std::acos(0.0));
  const auto hinge = b.add_joint(STN_JOINT_REVOLUTE, STN_GROUND, rod, {0, 0, 0}, {0, 0, 1});
  const stiction::model bare = b.build();
  auto [q, v] = bare.initial();
  REQUIRE(near(bare.total_mass(), 1.0) && near(bare.pose(rod, q)[0], 0.5));
  REQUIRE(near(bare.point(rod, {0, -0.5, 0}, q, v).first[0], 1.0));
  REQUIRE(bare.body_range(rod).n_q == 3 && bare.joint_range(hinge).second == 2);
  stiction::stepper s(bare);
  s.advance(0.5, 1e-3);
  q = s.q(), v = s.v();
  const auto e = bare.energy(0.5, q, v);
  REQUIRE(near(e.kinetic + e.potential, 0.0, 1e-4) && e.kinetic > 1.0); // order two in h = 1e-3
  REQUIRE(bare.joint_coordinate(hinge, STN_FREEDOM_ANGLE, q) < -0.5);
  REQUIRE(bare.momentum(q, v).second[2] < 0.0);

  b.set_velocity(rod, {0, -0.5, 0}, {0, 0, -1});
  b.add_limit(hinge, STN_FREEDOM_ANGLE, -3.0, stiction::builder::infinity, 0.1);
  b.add_joint_spring(hinge, STN_FREEDOM_ANGLE, 1.0, 0.1);
  b.add_joint_friction(hinge, STN_FREEDOM_ANGLE, 0.2);
  b.add_motor(hinge, STN_FREEDOM_ANGLE, [](double t) { return std::sin(t); });
  b.add_force(rod, {0, -0.5, 0}, [](double, stiction::span<double> f) { f[1] = 1.0; });
  b.add_torque(rod, [](double, stiction::span<double> m) { m[2] = 0.1; });
  const auto bob = b.add_point2(0.5, {1.0, -0.5});
  b.add_rod(rod, {0, -0.5, 0}, bob, {});
  b.add_spring(rod, {}, bob, {}, 3.0, 0.1);
  b.add_bushing(rod, {0, -0.5, 0}, bob, {}, 0.1);
  b.add_distance_limit(rod, {}, bob, {}, 0.0, 2.0);
  const auto rubber = b.add_material();
  b.set_surface(0, rubber, 0.8, 0.2);
  const double below[7] = {0, -3, 0, 1, 0, 0, 0};
  const auto floor = b.add_half_space(STN_GROUND, {0, 1, 0}, below, rubber);
  for (auto shape :
       {b.add_ball(bob, 0.05), b.add_polygon(rod, {-0.05, -0.5, 0.05, -0.5, 0.0, 0.5})})
    b.set_groups(shape, 2, 1);
  b.set_groups(floor, 1, 2);
  b.set_facets(2);
  stiction::stepper full(b.build());
  full.advance(0.2, 1e-3);
  REQUIRE(full.stats().worst_joint_drift < 1e-8);
  REQUIRE(status_of([&] { b.add_point2(1.0, {1.0}); }) == STN_ERR_DIMENSION);

  stiction::builder space;
  const double inertia[9] = {1, 0, 0, 0, 2, 0, 0, 0, 2.5};
  const auto box = space.add_spatial(1.0, inertia, {0, 0, 1, 1, 0, 0, 0});
  const auto turn = space.add_joint(STN_JOINT_CYLINDRICAL, STN_GROUND, box, {0, 0, 1}, {0, 0, 1});
  space.add_drive(turn, STN_FREEDOM_ANGLE, [](double t) { return 0.1 * t; });
  space.add_box(box, {0.2, 0.2, 0.2});
  space.set_groups(space.add_ball(space.add_point3(1.0, {5, 0, 1}), 0.3), 2, 4);
  space.set_groups(space.add_capsule(box, 0.3, 0.1), 2, 4);
  space.add_half_space(STN_GROUND, {0, 0, 1});
  stiction::stepper(space.build()).advance(0.1, 0.01);
}

static void what_a_signal_throws_comes_out() {
  stiction::builder b;
  const auto p = b.add_point2(1.0, {0, 0});
  b.add_force(p, {}, [](double t, stiction::span<double> f) {
    f[0] = 1.0;
    if (t > 0.1)
      throw landslide{t};
  });
  stiction::stepper s(b.build());
  double at = 0.0;
  try {
    s.advance(1.0, 0.01);
  } catch (const landslide &e) {
    at = e.t;
  }
  REQUIRE(at > 0.1);
}

static void threads_have_their_own_exceptions() {
  double ends[4] = {0, 0, 0, 0};
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; k++)
    threads.emplace_back([&ends, k] {
      stiction::functions f = ball();
      f.force = [k](double t, auto, auto, stiction::span<double> force) {
        force[0] = -20.0;
        if (k % 2 == 1 && t > 0.5)
          throw landslide{static_cast<double>(k)};
      };
      try {
        stiction::stepper s = dropped(std::move(f));
        s.advance(1.0, 1e-3);
        ends[k] = s.q()[0];
      } catch (const landslide &e) {
        ends[k] = e.t;
      }
    });
  for (auto &thread : threads)
    thread.join();
  REQUIRE(ends[1] == 1.0 && ends[3] == 3.0 && ends[0] == ends[2]);
}

// A block on a floor: pushed densely, by tangents or sparsely it moves with the same bits. 3 m/s
// and mu g = 5 m/s^2 take it 0.9 m far.
static void contacts_come_and_go_by_key() {
  double ends[3] = {};
  for (int how = 0; how < 3; how++) {
    stiction::functions f;
    f.nv = 2, f.n_dir = 2, f.max_contacts = 1;
    f.mass = [](double, auto, stiction::matrix m) { m(0, 0) = m(1, 1) = 1.0; };
    f.force = [](double, auto, auto, stiction::span<double> force) { force[1] = -10.0; };
    f.contacts = [how](double, auto q, double margin, stiction::contact_sink &sink) {
      const double aside[] = {1, 0, -1, 0};
      const std::int32_t both[] = {0, 1};
      if (q[1] > margin)
        return;
      if (how == 0)
        sink.push(77, q[1], {0, 1}, {aside, 2, 2}, 0.5);
      else if (how == 1)
        sink.push_tangents(77, q[1], {0, 1}, 2, {1, 0}, {1, 0}, 0.5);
      else
        sink.push_sparse(77, q[1], both, {0, 1}, {aside, 2, 2}, 0.5);
    };
    stiction::stepper s{stiction::model(std::move(f))};
    s.set_state(0.0, {0.0, 0.0}, {3.0, 0.0});
    s.advance(1.0, 0.01);
    ends[how] = s.q()[0];
    const std::int32_t block = s.find_contact(77);
    REQUIRE(block >= 0 && block < s.contact_count() && s.contact_key(block).first == 77);
    REQUIRE(s.contact_key(block).second && s.find_contact(1) == -1);
    REQUIRE(near(s.impulses().normal[static_cast<std::size_t>(block)], 0.1));
    REQUIRE(s.contact(block).mode == STN_CONTACT_STICK);
    s.set_state(1.0, {0.0, 5.0}, {0.0, 0.0}); // in the air
    s.step(0.01);
    REQUIRE(s.find_contact(77) == -1);
  }
  REQUIRE(near(ends[0], 0.9, 1e-9) && ends[0] == ends[1] && ends[0] == ends[2]);

  stiction::functions wrong; // a push that fails fails the step
  wrong.nv = wrong.max_contacts = 1;
  wrong.mass = [](double, auto, stiction::matrix m) { m(0, 0) = 1.0; };
  wrong.contacts = [](double, auto, double, stiction::contact_sink &sink) {
    sink.push(0, std::nan(""), {1.0});
  };
  stiction::stepper s{stiction::model(std::move(wrong))};
  REQUIRE(status_of([&] { s.step(0.01); }) == STN_ERR_NONFINITE);
}

// Free where x >= 0 or y >= 0: a point slides over the edge after 1/2 s, and falls 1.25 m.
static void of_a_group_one_gap_is_enough() {
  stiction::functions f;
  f.nv = f.max_contacts = 2;
  f.mass = [](double, auto, stiction::matrix m) { m(0, 0) = m(1, 1) = 1.0; };
  f.force = [](double, auto, auto, stiction::span<double> force) { force[1] = -10.0; };
  f.contacts = [](double, auto q, double, stiction::contact_sink &sink) {
    sink.push(1, q[1], {0, 1});
    sink.push(2, q[0], {1, 0});
    sink.join(9, {1, 2});
  };
  stiction::stepper s{stiction::model(std::move(f))};
  s.set_state(0.0, {-1.0, 0.0}, {2.0, 0.0});
  s.advance(1.0, 0.07);
  REQUIRE(near(s.q()[0], 1.0, 1e-12) && near(s.q()[1], -1.25, 1e-12));
}

// A spring of 4 pi^2 N/m on 1 kg comes back after one second; declared, the library adds it.
static void elements_pull_by_themselves() {
  stiction::functions f;
  f.nv = f.n_element = 1;
  f.mass = [](double, auto, stiction::matrix m) { m(0, 0) = 1.0; };
  f.element = [](double, auto q, stiction::span<double> phi, stiction::matrix gradient,
                 stiction::span<double> stiffness, stiction::span<double>) {
    phi[0] = q[0], gradient(0, 0) = 1.0, stiffness[0] = 4.0 * std::acos(-1.0) * std::acos(-1.0);
  };
  const stiction::model m(std::move(f));
  stiction::stepper s(m);
  s.set_state(0.0, {1.0}, {0.0});
  s.advance(1.0, 1e-3);
  REQUIRE(near(s.q()[0], 1.0, 1e-4));
  REQUIRE(near(m.energy(0.0, {0.5}, {0.0}).potential, 0.5 * std::acos(-1.0) * std::acos(-1.0)));
}

// m = (1 + x^2): the force is -x v^2, closed form of minus dM/dt v plus half the gradient of v'Mv.
static void a_model_knows_its_coriolis_force_and_its_cone() {
  stiction::functions f;
  f.nv = 1;
  f.mass = [](double, auto q, stiction::matrix m) { m(0, 0) = 1.0 + q[0] * q[0]; };
  const stiction::model bead(std::move(f));
  double c[1];
  bead.coriolis(0.0, {0.5}, {2.0}, c);
  REQUIRE(near(c[0], -0.5 * 4.0, 1e-6));
  REQUIRE(std::isinf(bead.cone_margin(0.0, {0.5})));
  const stiction::model m(ball());
  REQUIRE(
      near(m.cone_margin(0.0, {0.0}), 1.0)); // one contact without friction: one edge of length 1
}

// A box on a height field, a hull on a mesh: both lie still where they were put.
static void solids_rest_on_uneven_ground() {
  const double flat[4] = {0, 0, 0, 0}, still[9] = {0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1};
  const double corners[] = {5, -1, 0, 7, -1, 0, 7, 1, 0, 5, 1, 0};
  const std::int32_t triangles[] = {0, 1, 2, 0, 2, 3};
  stiction::builder b;
  b.set_gravity({0, 0, -10});
  b.set_surface(0, 0, 0.5);
  const auto box = b.add_spatial(1.0, still, {0, 0, 0.2, 1, 0, 0, 0});
  const auto hull = b.add_spatial(1.0, still, {6, 0, 0.1, 1, 0, 0, 0});
  b.add_height_field(STN_GROUND, 2, 2, 2.0, 2.0, flat);
  b.add_mesh(STN_GROUND, corners, triangles);
  b.add_box(box, {0.3, 0.3, 0.2});
  b.add_hull(hull, {0.3, 0, -0.1, -0.3, 0.3, -0.1, -0.3, -0.3, -0.1, 0, 0, 0.3});
  const stiction::model m = b.build();
  stiction::stepper s(m);
  s.advance(0.2, 0.01);
  REQUIRE(near(m.pose(box, s.q())[2], 0.2, 1e-9) && near(m.pose(hull, s.q())[2], 0.1, 1e-9));
  const auto touching = m.contact_pair(s.contact_key(0).first);
  REQUIRE((touching.body_a == box || touching.body_b == box) && touching.shape_a >= 0);
  double weight = 0.0; // what the contacts gave in the last step carries two kilograms
  for (double push : s.impulses().normal)
    weight += push;
  REQUIRE(near(weight, 2.0 * 10.0 * 0.01, 1e-9));
  REQUIRE(status_of([&] {
            b.add_height_field(STN_GROUND, 2, 2, 1.0, 1.0, {0, 0});
          }) == STN_ERR_DIMENSION);
}

// The sanitizer sees whether anything is left.
static void handles_are_given_up() {
  for (int k = 0; k < 10000; k++) {
    stiction::lcp lcp(4);
    stiction::stepper s = dropped(ball()); // outlives its model
    s.step(1e-3);
    stiction::builder b;
    b.add_force(b.add_point2(1.0, {0, 0}), {}, [](double, stiction::span<double>) {});
    const stiction::model m = b.build();
    (void)status_of([&] { b.add_motor(5, STN_FREEDOM_ANGLE, [](double) { return 0.0; }); });
  }
}

#ifdef EIGEN_WORLD_VERSION
static void eigen_sees_the_same_numbers() {
  Eigen::Matrix2d m;
  m << 1, 2, 0, 1;
  Eigen::Vector2d q(-4, -1), z;
  stiction::lcp lcp(2);
  lcp.solve(stiction::view(m), q, z);
  REQUIRE(near(z[0], 2.0) && near(z[1], 1.0));
  Eigen::Matrix3d large = Eigen::Matrix3d::Zero();
  large.topLeftCorner<2, 2>() = m;
  lcp.solve(stiction::view(large.topLeftCorner<2, 2>()), q, z);
  REQUIRE(near(z[0], 2.0));
  stiction::functions f;
  f.nv = 2;
  f.mass = [](double, auto, stiction::matrix mass) { stiction::map(mass).setIdentity(); };
  f.force = [](double, auto q_, auto, stiction::span<double> force) {
    stiction::map(force) = -4.0 * stiction::map(q_);
  };
  stiction::stepper s{stiction::model(std::move(f))};
  s.set_state(0.0, Eigen::Vector2d(1, 2), Eigen::Vector2d(0, 0));
  s.advance(std::acos(-1.0), 1e-3); // one turn of the oscillator
  REQUIRE(near(s.q()[0], 1.0, 1e-4) && near(s.q()[1], 2.0, 1e-4));
}
#endif

int main() {
  handles_move_and_do_not_copy();
  complementarity_problems_are_solved_where_they_lie();
  progress_is_told_and_may_throw();
  contacts_and_impacts_agree_with_closed_forms();
  a_ball_lands_when_it_must_and_events_are_a_range();
  a_snapshot_continues_with_the_same_bits();
  books_contacts_and_impulses_are_read();
  a_brake_holds_up_to_its_bound();
  a_passive_model_moves_with_the_bits_of_functions();
  what_a_function_throws_comes_out_of_the_call();
  a_refused_point_rejects_the_step();
  options_and_checks_go_through();
  all_functions_of_a_model_are_called();
  bodies_are_built_and_answer();
  what_a_signal_throws_comes_out();
  contacts_come_and_go_by_key();
  of_a_group_one_gap_is_enough();
  elements_pull_by_themselves();
  a_model_knows_its_coriolis_force_and_its_cone();
  solids_rest_on_uneven_ground();
  threads_have_their_own_exceptions();
  handles_are_given_up();
#ifdef EIGEN_WORLD_VERSION
  eigen_sees_the_same_numbers();
  std::puts("all of C++ with Eigen");
#else
  std::puts("all of C++ without Eigen");
#endif
  return 0;
}
