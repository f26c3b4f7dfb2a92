// The frame of the host: modules that are updated in turn, and connectors that carry values
// between them. Knows no mechanics.
#pragma once
#include <stdexcept>
#include <utility>
#include <vector>

namespace host {

/// A value that a module shows to others.
template <class T> class Output {
public:
  const T &operator*() const { return value_; }
  const T *operator->() const { return &value_; }
  T &edit() { return value_; }

private:
  T value_{};
};

/// Where a module reads what another one shows.
template <class T> class Input {
public:
  void connect(const Output<T> &from) { from_ = &from; }
  const T &operator*() const { return *source(); }
  const T *operator->() const { return &*source(); }

private:
  const Output<T> &source() const {
    if (!from_)
      throw std::logic_error("an input is not connected");
    return *from_;
  }
  const Output<T> *from_ = nullptr;
};

class Module {
public:
  virtual ~Module() = default;
  /// Called once per frame with the time at its end, in the order of the world.
  virtual void update(double t, double dt) = 0;
};

/// The loop over frames. Modules belong to whoever made them.
class World {
public:
  explicit World(std::vector<Module *> modules) : modules_(std::move(modules)) {}

  void run(int frames, double dt) {
    for (int i = 1; i <= frames; ++i)
      for (Module *module : modules_)
        module->update(i * dt, dt);
  }

private:
  std::vector<Module *> modules_;
};

} // namespace host
