// What a scene promises about its physics, checked at its end.
#pragma once
#include "stiction_module.hpp"
#include "watch.hpp"
#include <cstdio>

namespace host {

/// Each sentence is printed with its figure, and one that does not hold makes the program fail.
class Promises {
public:
  void expect(bool holds, const char *sentence, double figure) {
    std::printf("%-4s %s: %.6g\n", holds ? "ok" : "NOT", sentence, figure);
    failed_ = failed_ || !holds;
  }

  /// Nothing sinks into anything by more than 1e-9 of the size of what moves, as the host
  /// measures it at the ends of frames.
  void expect_no_penetration(const DepthWatch &depth, const Mechanism &mechanism) {
    expect(depth.deepest < 1e-9 * mechanism.size, "nothing is deeper in anything than, m",
           depth.deepest);
  }

  /// Every answer was checked before it left the library.
  void expect_small_residuals(const stn_stats &stats) {
    expect(stats.worst_residual <= 1e-9, "no answer has a larger residual than",
           stats.worst_residual);
    std::printf("     in %lld complementarity problems with %lld impacts\n",
                static_cast<long long>(stats.lcp_solves), static_cast<long long>(stats.impacts));
  }

  /// The library's account of energy agrees with the host's, and energy is lost only where it may
  /// be. Five percent: the host sums work from frame to frame, across impacts.
  void expect_sane_energy(const stn_ledger &ledger, const EnergyWatch &energy) {
    const double work = ledger.external - energy.gravity_work - energy.load_work;
    const double kinetic = ledger.kinetic - energy.kinetic(), all = energy.turnover;
    expect(std::fabs(kinetic) < 1e-9 * all, "kinetic energy, ledger minus host, J", kinetic);
    expect(std::fabs(work) < 0.05 * all, "work of gravity and loads, ledger minus host, J", work);
    expect(ledger.friction > 0.0, "friction has taken, J", ledger.friction);
    expect(ledger.impact > 0.0, "impacts have taken, J", ledger.impact);
    expect(std::fabs(ledger.residue) < 0.05 * all, "the method itself has added, J",
           ledger.residue);
    std::printf("     of a turnover of %.6g J\n", all);
  }

  int exit_status() const { return failed_ ? 1 : 0; }

private:
  bool failed_ = false;
};

} // namespace host
