// Motion of a model in time.
#ifndef STICTION_STEPPER_HPP
#define STICTION_STEPPER_HPP

#include "model.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace stiction {

/// Choices for a stepper: the defaults until you change a member.
struct stepper_options : stn_stepper_options {
  stepper_options() : stn_stepper_options() {
    detail::check(stn_stepper_options_init(this, sizeof(stn_stepper_options)));
  }
};

/// The events of the last step or advance, read as one goes: for (const stn_event &e :
/// stepper.events()).
class event_range {
public:
  class iterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = stn_event;
    using difference_type = std::ptrdiff_t;
    using pointer = const stn_event *;
    using reference = const stn_event &;

    iterator(const stn_stepper *s, std::int32_t i, std::int32_t n) : s_(s), i_(i), n_(n) { read(); }
    reference operator*() const noexcept { return event_; }
    pointer operator->() const noexcept { return &event_; }
    iterator &operator++() {
      ++i_;
      read();
      return *this;
    }
    iterator operator++(int) {
      iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const iterator &a, const iterator &b) noexcept { return a.i_ == b.i_; }
    friend bool operator!=(const iterator &a, const iterator &b) noexcept { return a.i_ != b.i_; }

  private:
    void read() {
      event_.struct_size = sizeof event_;
      if (i_ < n_)
        detail::check(stn_stepper_get_event(s_, i_, &event_));
    }
    const stn_stepper *s_;
    std::int32_t i_, n_;
    stn_event event_ = {};
  };

  explicit event_range(const stn_stepper *s) : s_(s), n_(stn_stepper_event_count(s)) {
    if (n_ < 0)
      detail::fail(static_cast<stn_status>(n_));
  }
  iterator begin() const { return {s_, 0, n_}; }
  iterator end() const { return {s_, n_, n_}; }
  std::size_t size() const noexcept { return static_cast<std::size_t>(n_); }
  bool empty() const noexcept { return n_ == 0; }

private:
  const stn_stepper *s_;
  std::int32_t n_;
};

/// Impulses of the last step, N s: along joints, along normals, along friction directions.
struct impulses {
  std::vector<double> joint, normal, friction;
};

/// What acts at a state: dv/dt, forces along joints, normals and friction directions, and slip
/// speeds.
struct forces {
  std::vector<double> acceleration, joint, normal, slip_speed, friction;
};

/// What a passive model is asked for, a mask of stn_want, and where.
struct request {
  std::int32_t number = 0, what = 0;
  double t = 0.0;
  std::vector<double> q, v;
};

/// State and workspace of one motion, for one thread at a time.
class stepper {
public:
  explicit stepper(const model &m, const stepper_options &options = {})
      : handle_(detail::create<stn_stepper, stn_stepper_destroy>(
            stn_stepper_create, m.get(), static_cast<const stn_stepper_options *>(&options))),
        dims_(m.dims()), nq_(static_cast<std::size_t>(dims_.nq)),
        nv_(static_cast<std::size_t>(dims_.nv)) {}

  stn_stepper *get() const noexcept { return handle_.get(); }

  void set_state(double t, span<const double> q, span<const double> v) {
    detail::check(stn_stepper_set_state(get(), t, q.data(), static_cast<std::int32_t>(q.size()),
                                        v.data(), static_cast<std::int32_t>(v.size())));
  }
  /// Writes into your arrays and gives the time.
  double get_state(span<double> q, span<double> v) const {
    double t = 0.0;
    const std::int32_t nq = detail::expect(q.size(), nq_, "q");
    const std::int32_t nv = detail::expect(v.size(), nv_, "v");
    detail::check(stn_stepper_get_state(get(), &t, q.data(), nq, v.data(), nv));
    return t;
  }
  double t() const {
    double t = 0.0;
    detail::check(stn_stepper_get_state(get(), &t, nullptr, static_cast<std::int32_t>(nq_), nullptr,
                                        static_cast<std::int32_t>(nv_)));
    return t;
  }
  std::vector<double> q() const {
    std::vector<double> q(nq_), v(nv_);
    get_state(q, v);
    return q;
  }
  std::vector<double> v() const {
    std::vector<double> q(nq_), v(nv_);
    get_state(q, v);
    return v;
  }

  /// One step: STN_OK, STN_EVENT or, with the state as before, STN_REJECTED.
  stn_status step(double h) { return detail::check(stn_stepper_step(get(), h)); }
  /// Steps of h to t_end.
  stn_status advance(double t_end, double h) {
    return detail::check(stn_stepper_advance(get(), t_end, h));
  }

  /// What happened in the last step or advance; valid until the next.
  event_range events() const { return event_range(get()); }

  stn_stats stats() const {
    stn_stats s = {};
    s.struct_size = sizeof s;
    detail::check(stn_stepper_get_stats(get(), &s));
    return s;
  }

  /// The state at any time inside the last step, into your arrays.
  void get_state_at(double t, span<double> q, span<double> v) {
    const std::int32_t nq = detail::expect(q.size(), nq_, "q");
    const std::int32_t nv = detail::expect(v.size(), nv_, "v");
    detail::done(stn_stepper_get_state_at(get(), t, q.data(), nq, v.data(), nv));
  }

  /// Where kinetic energy came from and where it went.
  stn_ledger ledger(stn_ledger_span span = STN_LEDGER_SUM) const {
    stn_ledger l = {};
    l.struct_size = sizeof l;
    detail::check(stn_stepper_get_ledger(get(), span, &l));
    return l;
  }

  stiction::impulses impulses() const {
    const std::int32_t nj = dims_.n_joint, nc = contact_count(), nf = nc * dims_.n_dir;
    stiction::impulses i;
    i.joint.resize(static_cast<std::size_t>(nj));
    i.normal.resize(static_cast<std::size_t>(nc));
    i.friction.resize(static_cast<std::size_t>(nf));
    detail::check(stn_stepper_get_impulses(get(), i.joint.data(), nj, i.normal.data(), nc,
                                           i.friction.data(), nf));
    return i;
  }

  /// Impulses of brakes over the last step, N s.
  std::vector<double> brake_impulses() const {
    std::vector<double> brake(static_cast<std::size_t>(dims_.n_brake));
    detail::check(stn_stepper_get_brake_impulses(get(), brake.data(), dims_.n_brake));
    return brake;
  }

  /// What acts at the present state; changes nothing.
  stiction::forces forces() {
    const std::int32_t nj = dims_.n_joint, nc = contact_count(), nf = nc * dims_.n_dir;
    stiction::forces f;
    f.acceleration.resize(nv_);
    f.joint.resize(static_cast<std::size_t>(nj));
    f.normal.resize(static_cast<std::size_t>(nc));
    f.slip_speed.resize(static_cast<std::size_t>(nc));
    f.friction.resize(static_cast<std::size_t>(nf));
    detail::done(stn_stepper_get_forces(get(), f.acceleration.data(), dims_.nv, f.joint.data(), nj,
                                        f.normal.data(), f.slip_speed.data(), nc, f.friction.data(),
                                        nf));
    return f;
  }

  /// Contacts that have an index: those with a gap, then the places of those that come and go.
  std::int32_t contact_count() const {
    const std::int32_t n = stn_stepper_contact_count(get());
    if (n < 0)
      detail::fail(static_cast<stn_status>(n));
    return n;
  }
  /// Index of a contact by its key at the present state, -1 when it is not there.
  std::int32_t find_contact(std::int64_t key) const {
    std::int32_t contact = -1;
    detail::check(stn_stepper_find_contact(get(), key, &contact));
    return contact;
  }
  /// Key of a contact and whether its place is taken.
  std::pair<std::int64_t, bool> contact_key(std::int32_t contact) const {
    std::int64_t key = 0;
    std::int32_t taken = 0;
    detail::check(stn_stepper_get_contact_key(get(), contact, &key, &taken));
    return {key, taken != 0};
  }

  /// What a contact does at the present state, and its impulses over the last step.
  stn_contact_state contact(std::int32_t i) {
    stn_contact_state c = {};
    c.struct_size = sizeof c;
    detail::done(stn_stepper_get_contact(get(), i, &c));
    return c;
  }

  /// One step of a passive model: on STN_WANTED answer all requests and call it again with the same
  /// h.
  stn_status passive_step(double h) { return detail::check(stn_passive_step(get(), h)); }
  std::vector<request> requests() const {
    const std::int32_t n = stn_passive_request_count(get());
    if (n < 0)
      detail::fail(static_cast<stn_status>(n));
    std::vector<request> all(static_cast<std::size_t>(n));
    for (std::int32_t i = 0; i < n; i++) {
      request &r = all[static_cast<std::size_t>(i)];
      r.number = i, r.q.resize(nq_), r.v.resize(nv_);
      detail::check(stn_passive_get_request(get(), i, &r.what, &r.t, r.q.data(), dims_.nq,
                                            r.v.data(), dims_.nv));
    }
    return all;
  }
  void put(const request &r, stn_want what, span<const double> values) {
    detail::check(stn_passive_put(get(), r.number, what, values.data(),
                                  static_cast<std::int32_t>(values.size())));
  }
  /// Forgets requests and answers, for another try.
  void cancel() { detail::check(stn_passive_cancel(get())); }

  /// A snapshot: after restore, the following steps give the same bits.
  std::vector<unsigned char> save() const {
    std::size_t needed = 0;
    stn_stepper_save(get(), nullptr, 0, &needed);
    std::vector<unsigned char> bytes(needed);
    detail::check(stn_stepper_save(get(), bytes.data(), bytes.size(), &needed));
    return bytes;
  }
  void restore(span<const unsigned char> snapshot) {
    detail::check(stn_stepper_restore(get(), snapshot.data(), snapshot.size()));
  }

private:
  detail::owner<stn_stepper, stn_stepper_destroy> handle_;
  stn_dims dims_;
  std::size_t nq_, nv_;
};

namespace detail {
/// What no stepper answers: still there when none was stepped.
constexpr std::int32_t unstepped = INT32_MIN;

template <class Call> std::vector<std::int32_t> all(span<stepper> steppers, Call call) {
  std::vector<stn_stepper *> handles;
  for (stepper &s : steppers)
    handles.push_back(s.get());
  std::vector<std::int32_t> status(steppers.size(), unstepped);
  const stn_status code =
      call(handles.data(), static_cast<std::int32_t>(handles.size()), status.data());
  if (code < 0 && std::find(status.begin(), status.end(), unstepped) != status.end())
    check(code);
  return status;
}
} // namespace detail

/// Every stepper to t_end with steps of h, over several threads (0: as many as the machine runs at
/// once). Gives the status of each; one that fails does not keep the others from going on. Lambdas
/// of models are called on these threads; what they throw ends their stepper with STN_ERR_CALLBACK.
inline std::vector<std::int32_t> advance_all(span<stepper> steppers, double t_end, double h,
                                             std::int32_t threads = 0) {
  return detail::all(steppers, [=](stn_stepper *const *s, std::int32_t n, std::int32_t *status) {
    return stn_batch_advance(s, n, t_end, h, threads, status);
  });
}

/// One step of each, as advance_all.
inline std::vector<std::int32_t> step_all(span<stepper> steppers, double h,
                                          std::int32_t threads = 0) {
  return detail::all(steppers, [=](stn_stepper *const *s, std::int32_t n, std::int32_t *status) {
    return stn_batch_step(s, n, h, threads, status);
  });
}

} // namespace stiction

#endif
