// The module that moves the bodies: all of Stiction that the host sees.
#pragma once
#include "bodies.hpp"
#include "module.hpp"
#include <stiction.h>

namespace host {

class StictionModule final : public Module {
public:
  /// Force and torque on each body, world axes. The trapezoidal rule takes the mean of those of the
  /// last frame and of the present one: loads that jump are felt over one frame.
  Input<std::vector<Screw>> loads;
  Output<std::vector<Motion>> motions;
  /// Energies since the start, J.
  Output<stn_ledger> ledger;
  Output<stn_stats> stats;

  /// `mechanism` and `collider` stay with the caller.
  StictionModule(const Mechanism &mechanism, const Collider &collider);
  void update(double t, double dt) override;
  /// Contacts that carry a force at the end of the frame.
  int carrying() const;

private:
  struct Callbacks;
  template <class T, void (*destroy)(T *)> struct Destroy {
    void operator()(T *handle) const { destroy(handle); }
  };
  using Model = std::unique_ptr<stn_model, Destroy<stn_model, stn_model_destroy>>;
  using Stepper = std::unique_ptr<stn_stepper, Destroy<stn_stepper, stn_stepper_destroy>>;

  void publish();
  void unpack(const double *q);

  const Mechanism &mechanism_;
  const Collider &collider_;
  int nq_, nv_;
  // Room for the callbacks, which must not fail for lack of it.
  std::vector<Pose> poses_;
  std::vector<Contact> found_;
  std::vector<double> q_, v_;
  Model model_;
  Stepper stepper_;
};

} // namespace host
