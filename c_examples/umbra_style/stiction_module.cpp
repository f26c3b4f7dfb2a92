// How a host with bodies, joints and collision detection of its own hands them to Stiction.
//
// Coordinates: each body has 7 numbers in q (place, quaternion) and 6 in v (velocity of the center
// of mass, angular velocity, both in world axes). Each callback below answers one question about a
// point (t, q, v) that the library chooses: trial points too, so nothing may be remembered.
#include "stiction_module.hpp"
#include <algorithm>

namespace host {
namespace {

constexpr int POSE = 7, MOVES = 6;

void check(stn_status status) {
  if (status >= 0)
    return;
  char text[256];
  stn_last_error(text, sizeof text);
  throw std::runtime_error(std::string(stn_status_name(status)) + ": " + text);
}

Pose read_pose(const double *q) { return {{q[0], q[1], q[2]}, {q[3], q[4], q[5], q[6]}}; }

void write_pose(const Pose &p, double *q) {
  const double all[POSE] = {p.at.x, p.at.y, p.at.z, p.turned.w, p.turned.x, p.turned.y, p.turned.z};
  std::copy(all, all + POSE, q);
}

Screw read_screw(const double *v) { return {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}}; }

void write_screw(const Screw &s, double *v) {
  const double all[MOVES] = {s.linear.x,  s.linear.y,  s.linear.z,
                             s.angular.x, s.angular.y, s.angular.z};
  std::copy(all, all + MOVES, v);
}

/// The angular momentum of a body that turns with `omega`.
Vec spin(const Body &body, Quat turned, Vec omega) {
  const Vec w = turn_back(turned, omega);
  return turn(turned, {body.inertia.x * w.x, body.inertia.y * w.y, body.inertia.z * w.z});
}

} // namespace

struct StictionModule::Callbacks {
  static StictionModule &self(void *user) { return *static_cast<StictionModule *>(user); }

  static int mass(double, const double *q, double *mass, void *user) {
    const auto &bodies = self(user).mechanism_.bodies;
    const std::size_t n = MOVES * bodies.size();
    const Vec axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const Quat turned = read_pose(q + POSE * b).turned;
      for (std::size_t i = 0; i < 3; ++i) {
        double *column = mass + (MOVES * b + i) * n + MOVES * b; // the block of this body
        column[i] = bodies[b].mass;
        const Vec turning = spin(bodies[b], turned, axes[i]);
        double *below = column + 3 * n + 3;
        below[0] = turning.x, below[1] = turning.y, below[2] = turning.z;
      }
    }
    return 0;
  }

  /// Gravity, what the modules before this one apply, and the gyroscopic torque.
  static int force(double, const double *q, const double *v, double *force, void *user) {
    const StictionModule &me = self(user);
    for (std::size_t b = 0; b < me.mechanism_.bodies.size(); ++b) {
      const Body &body = me.mechanism_.bodies[b];
      const Vec omega = read_screw(v + MOVES * b).angular;
      const Vec momentum = spin(body, read_pose(q + POSE * b).turned, omega);
      Screw load = (*me.loads)[b];
      load.linear = load.linear + body.mass * me.mechanism_.gravity;
      load.angular = load.angular - cross(omega, momentum);
      write_screw(load, force + MOVES * b);
    }
    return 0;
  }

  static int rate(double, const double *q, const double *v, double *qdot, void *user) {
    for (std::size_t b = 0; b < self(user).mechanism_.bodies.size(); ++b) {
      const Screw moves = read_screw(v + MOVES * b);
      const Vec w = 0.5 * moves.angular;
      const Quat turning = Quat{0, w.x, w.y, w.z} * read_pose(q + POSE * b).turned;
      write_pose({moves.linear, turning}, qdot + POSE * b);
    }
    return 0;
  }

  /// The same over a finite way, so that quaternions stay units.
  static int displace(double, const double *q, const double *d, double *moved, void *user) {
    for (std::size_t b = 0; b < self(user).mechanism_.bodies.size(); ++b) {
      const Pose from = read_pose(q + POSE * b);
      const Screw way = read_screw(d + MOVES * b);
      write_pose({from.at + way.linear, rotation(way.angular) * from.turned}, moved + POSE * b);
    }
    return 0;
  }

  static int joint(double, const double *q, double *phi, double *jt, void *user) {
    const StictionModule &me = self(user);
    const std::size_t n = MOVES * me.mechanism_.bodies.size();
    const auto pose = [&](int body) {
      return body == GROUND ? Pose{} : read_pose(q + POSE * body);
    };
    for (const auto &joint : me.mechanism_.joints) {
      Row rows[MOVES];
      joint->write(pose(joint->first), pose(joint->second), rows);
      for (int i = 0; i < joint->rows(); ++i, ++phi, jt += n) {
        *phi = rows[i].error;
        if (joint->first != GROUND)
          write_screw(rows[i].first, jt + MOVES * joint->first);
        if (joint->second != GROUND)
          write_screw(rows[i].second, jt + MOVES * joint->second);
      }
    }
    return 0;
  }

  /// Asks the host's own collision detection. An exception must not pass through the library.
  static int contacts(double, const double *q, double margin, stn_contact_sink *sink, void *user) {
    StictionModule &me = self(user);
    try {
      me.unpack(q);
      me.found_.clear();
      me.collider_.find(me.poses_, margin, me.found_);
    } catch (...) {
      return -1;
    }
    for (const Contact &contact : me.found_)
      if (push(me, contact, sink) < 0)
        return -1; // the library knows the reason
    return 0;
  }

  /// One contact concerns the coordinates of two bodies at most, and only those are handed over.
  static stn_status push(const StictionModule &me, const Contact &c, stn_contact_sink *sink) {
    const int directions = me.mechanism_.directions;
    const int touching[2] = {c.body, c.other};
    const Vec second = cross(c.normal, c.along);
    std::int32_t index[2 * MOVES];
    double normal[2 * MOVES], tangent[8 * 2 * MOVES];
    int n = 0;
    for (int b : touching)
      for (int i = 0; i < (b == GROUND ? 0 : MOVES); ++i)
        index[n++] = MOVES * b + i;
    const auto column = [&](Vec direction, double *out) {
      for (int b : touching) {
        if (b == GROUND)
          continue;
        const Vec d = b == c.body ? direction : -direction;
        write_screw(point_direction(me.poses_[static_cast<std::size_t>(b)], c.at, d), out);
        out += MOVES;
      }
    };
    column(c.normal, normal);
    for (int k = 0; k < directions / 2; ++k) {
      const double angle = 6.283185307179586 * k / directions;
      const Vec d = std::cos(angle) * c.along + std::sin(angle) * second;
      column(d, tangent + k * n);
      column(-d, tangent + (k + directions / 2) * n);
    }
    return stn_contact_push_sparse(sink, c.key, c.gap, n, index, normal, directions, tangent,
                                   me.mechanism_.friction, 0.0);
  }
};

StictionModule::StictionModule(const Mechanism &mechanism, const Collider &collider)
    : mechanism_(mechanism), collider_(collider),
      nq_(POSE * static_cast<int>(mechanism.bodies.size())),
      nv_(MOVES * static_cast<int>(mechanism.bodies.size())), poses_(mechanism.bodies.size()),
      q_(static_cast<std::size_t>(nq_)), v_(static_cast<std::size_t>(nv_)) {
  found_.reserve(static_cast<std::size_t>(mechanism.max_contacts));

  stn_dims dims{};
  dims.struct_size = sizeof dims;
  dims.nq = nq_, dims.nv = nv_, dims.n_dir = mechanism.directions;
  for (const auto &joint : mechanism.joints)
    dims.n_joint += joint->rows();

  stn_model_fns fns{};
  fns.struct_size = sizeof fns;
  fns.mass = Callbacks::mass, fns.force = Callbacks::force;
  fns.rate = Callbacks::rate, fns.displace = Callbacks::displace;
  fns.joint = Callbacks::joint;
  fns.contacts = Callbacks::contacts, fns.max_contacts = mechanism.max_contacts;

  stn_model *model = nullptr;
  check(stn_model_create(&dims, &fns, nullptr, nullptr, this, &model));
  model_.reset(model);
  stn_stepper_options options;
  check(stn_stepper_options_init(&options, sizeof options));
  options.length_scale = mechanism.size;
  // A frame is long against the rattling of wheels and feet; a step that reaches its cap of events
  // goes on without locating more, and may sink by a micrometre.
  options.max_events = 200;
  stn_stepper *stepper = nullptr;
  check(stn_stepper_create(model, &options, &stepper));
  stepper_.reset(stepper);

  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b)
    write_pose(mechanism.bodies[b].start, q_.data() + POSE * b);
  check(stn_stepper_set_state(stepper, 0.0, q_.data(), nq_, v_.data(), nv_));
  publish();
}

void StictionModule::update(double t, double dt) {
  check(stn_stepper_advance(stepper_.get(), t, dt));
  publish();
}

void StictionModule::publish() {
  check(stn_stepper_get_state(stepper_.get(), nullptr, q_.data(), nq_, v_.data(), nv_));
  auto &out = motions.edit();
  out.resize(mechanism_.bodies.size());
  for (std::size_t b = 0; b < out.size(); ++b)
    out[b] = {read_pose(q_.data() + POSE * b), read_screw(v_.data() + MOVES * b)};
  ledger.edit().struct_size = sizeof(stn_ledger);
  check(stn_stepper_get_ledger(stepper_.get(), STN_LEDGER_SUM, &ledger.edit()));
  stats.edit().struct_size = sizeof(stn_stats);
  check(stn_stepper_get_stats(stepper_.get(), &stats.edit()));
}

void StictionModule::unpack(const double *q) {
  for (std::size_t b = 0; b < poses_.size(); ++b)
    poses_[b] = read_pose(q + POSE * b);
}

int StictionModule::carrying() const {
  int count = 0;
  for (std::int32_t i = 0; i < stn_stepper_contact_count(stepper_.get()); ++i) {
    stn_contact_state contact{};
    contact.struct_size = sizeof contact;
    check(stn_stepper_get_contact(stepper_.get(), i, &contact));
    count += contact.normal_impulse > 0.0;
  }
  return count;
}

} // namespace host
