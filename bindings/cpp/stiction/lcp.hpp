// Complementarity, contact and impact problems on plain arrays.
#ifndef STICTION_LCP_HPP
#define STICTION_LCP_HPP

#include "error.hpp"
#include "view.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace stiction {

/// Choices for a workspace: the defaults until you change a member.
struct lcp_options : stn_lcp_options {
  lcp_options() : stn_lcp_options() {
    detail::check(stn_lcp_options_init(this, sizeof(stn_lcp_options)));
  }
};

/// A report that knows its size.
struct lcp_info : stn_lcp_info {
  lcp_info() noexcept : stn_lcp_info() { struct_size = sizeof(stn_lcp_info); }
};

struct lcp_solution {
  std::vector<double> z, w;
  lcp_info info;
};

struct mlcp_solution {
  std::vector<double> x, w;
  lcp_info info;
};

/// Mass, directions as columns of length nv, and friction of the contacts of one problem; what is
/// left out is not there.
struct contacts {
  const_matrix mass, joint, normal, tangent;
  span<const double> mu;

  std::size_t nv() const noexcept { return mass.rows(); }
  std::size_t n_dir() const noexcept {
    return normal.columns() == 0 ? 0 : tangent.columns() / normal.columns();
  }
  /// Room that a workspace needs for this problem.
  std::int32_t n_max() const noexcept {
    return static_cast<std::int32_t>(
        std::max(nv() + joint.columns(), normal.columns() * (n_dir() + 2)));
  }
};

/// Velocity and impulses that a contact problem leads to; v_compression only for impacts.
struct contact_solution {
  std::vector<double> v, v_compression, joint_impulse, normal_impulse, friction_impulse;
  lcp_info info;
};

/// Choices of a step on plain arrays beyond its contacts; what is left out is zero, or the
/// directions for rows.
struct trapezoid_step {
  double h = 0.0;
  span<const double> force_start, force_end, v;
  const_matrix dfdq, dfdv, joint_row, normal_row, tangent_row;
  span<const double> joint_offset, normal_offset;
};

/// A workspace for problems of up to n_max unknowns; remembers its last basis.
class lcp {
public:
  explicit lcp(std::int32_t n_max)
      : handle_(detail::create<stn_lcp, stn_lcp_destroy>(stn_lcp_create, n_max)) {}

  stn_lcp *get() const noexcept { return handle_.get(); }

  void set_options(const lcp_options &options) {
    detail::check(stn_lcp_set_options(get(), &options));
  }

  /// Called about every 64 pivots of solve; an exception stops the solve and comes out of it.
  void set_progress(std::function<void(std::int64_t pivots, double artificial)> progress) {
    using function = std::function<void(std::int64_t, double)>;
    auto kept = progress ? std::make_unique<function>(std::move(progress)) : nullptr;
    const stn_progress_fn tell = [](std::int64_t pivots, double artificial, void *user) -> int {
      return detail::trap([&] { (*static_cast<function *>(user))(pivots, artificial); });
    };
    detail::check(stn_lcp_set_progress(get(), kept ? tell : nullptr, kept.get()));
    progress_ = std::move(kept);
  }

  /// w = M z + q, 0 <= z, 0 <= w, z'w = 0 into your arrays; w may be empty.
  void solve(const_matrix m, span<const double> q, span<double> z, span<double> w = {},
             stn_lcp_info *info = nullptr) {
    solve_by(stn_lcp_solve, m, q, z, w, info);
  }
  lcp_solution solve(const_matrix m, span<const double> q) { return solve_by(stn_lcp_solve, m, q); }

  /// As solve for another q; the matrix must be that of the last call and is not examined again.
  void solve_again(const_matrix m, span<const double> q, span<double> z, span<double> w = {},
                   stn_lcp_info *info = nullptr) {
    solve_by(stn_lcp_solve_again, m, q, z, w, info);
  }
  lcp_solution solve_again(const_matrix m, span<const double> q) {
    return solve_by(stn_lcp_solve_again, m, q);
  }

  /// The first n_free rows are equations, their unknowns free.
  mlcp_solution solve_mixed(std::size_t n_free, const_matrix m, span<const double> q) {
    const std::size_t n = m.columns();
    detail::expect(q.size(), n, "q");
    detail::expect(m.rows(), n, "a column of M");
    if (n_free > n)
      throw error(STN_ERR_DIMENSION, "more free unknowns than unknowns");
    mlcp_solution s{std::vector<double>(n), std::vector<double>(n - n_free), {}};
    detail::check(stn_mlcp_solve(get(), int_of(n_free), int_of(n - n_free), m.data(),
                                 int_of(m.stride()), q.data(), s.x.data(), s.w.data(), &s.info));
    return s;
  }

  /// Of the keys, which name the unknowns in their order, those that may be positive.
  std::vector<std::int64_t> get_basis(span<const std::int64_t> keys) const {
    std::vector<std::int64_t> basis(keys.size());
    std::int32_t needed = 0;
    detail::check(stn_lcp_get_basis(get(), int_of(keys.size()), keys.data(), basis.data(),
                                    int_of(basis.size()), &needed));
    basis.resize(static_cast<std::size_t>(needed));
    return basis;
  }
  void set_basis(span<const std::int64_t> keys, span<const std::int64_t> basis) {
    detail::check(stn_lcp_set_basis(get(), int_of(keys.size()), keys.data(), basis.data(),
                                    int_of(basis.size())));
  }

  /// Reads the ray of a solve that failed with STN_ERR_LCP_RAY; true when it proves that there is
  /// no solution.
  bool get_ray(span<double> z, span<double> w = {}) const {
    if (!w.empty())
      detail::expect(w.size(), z.size(), "w");
    std::int32_t infeasible = 0;
    detail::check(stn_lcp_get_ray(get(), int_of(z.size()), z.data(), w.data(), &infeasible));
    return infeasible != 0;
  }

  /// mass v = p + impulses with joints, contacts and friction.
  contact_solution solve_contact(const contacts &c, span<const double> p) {
    contact_solution s = room(c);
    detail::expect(p.size(), c.nv(), "p");
    detail::check(stn_contact_solve(get(), int_of(c.nv()), int_of(c.joint.columns()),
                                    int_of(c.normal.columns()), int_of(c.n_dir()), c.mass.data(),
                                    c.joint.data(), c.normal.data(), c.tangent.data(), c.mu.data(),
                                    p.data(), s.v.data(), s.joint_impulse.data(),
                                    s.normal_impulse.data(), s.friction_impulse.data(), &s.info));
    return s;
  }

  /// The velocity after an impact; restitution may be empty for the plastic law only.
  contact_solution solve_impact(stn_impact_law law, const contacts &c,
                                span<const double> restitution, span<const double> v_minus) {
    contact_solution s = room(c);
    s.v_compression.resize(c.nv());
    detail::expect(v_minus.size(), c.nv(), "v_minus");
    if (!restitution.empty())
      detail::expect(restitution.size(), c.normal.columns(), "restitution");
    detail::check(stn_impact_solve(
        get(), law, int_of(c.nv()), int_of(c.joint.columns()), int_of(c.normal.columns()),
        int_of(c.n_dir()), c.mass.data(), c.joint.data(), c.normal.data(), c.tangent.data(),
        c.mu.data(), restitution.data(), v_minus.data(), s.v_compression.data(), s.v.data(),
        s.joint_impulse.data(), s.normal_impulse.data(), s.friction_impulse.data(), &s.info));
    return s;
  }

  /// One step of the trapezoidal rule for a program that evaluates its own model; see
  /// stn_trapezoid_solve.
  contact_solution solve_trapezoid(const contacts &c, const trapezoid_step &t) {
    contact_solution s = room(c);
    const std::size_t nv = c.nv(), nj = c.joint.columns(), nc = c.normal.columns();
    detail::expect(t.force_start.size(), nv, "force_start");
    detail::expect(t.force_end.size(), nv, "force_end");
    detail::expect(t.v.size(), nv, "v");
    const auto optional = [nv](const_matrix m, std::size_t columns, const char *what) {
      if (m.data() != nullptr)
        packed(m, nv, columns, what);
    };
    optional(t.dfdq, nv, "dfdq"), optional(t.dfdv, nv, "dfdv");
    optional(t.joint_row, nj, "joint_row"), optional(t.normal_row, nc, "normal_row");
    optional(t.tangent_row, nc * c.n_dir(), "tangent_row");
    if (!t.joint_offset.empty())
      detail::expect(t.joint_offset.size(), nj, "joint_offset");
    if (!t.normal_offset.empty())
      detail::expect(t.normal_offset.size(), nc, "normal_offset");
    detail::check(stn_trapezoid_solve(
        get(), int_of(nv), int_of(nj), int_of(nc), int_of(c.n_dir()), t.h, c.mass.data(),
        t.force_start.data(), t.force_end.data(), t.dfdq.data(), t.dfdv.data(), t.v.data(),
        c.joint.data(), c.normal.data(), c.tangent.data(), t.joint_row.data(), t.normal_row.data(),
        t.tangent_row.data(), t.joint_offset.data(), t.normal_offset.data(), c.mu.data(),
        s.v.data(), s.joint_impulse.data(), s.normal_impulse.data(), s.friction_impulse.data(),
        &s.info));
    return s;
  }

private:
  static std::int32_t int_of(std::size_t n) noexcept { return static_cast<std::int32_t>(n); }

  /// Columns one after another, as functions without a stride read them.
  static void packed(const_matrix m, std::size_t rows, std::size_t columns, const char *what) {
    detail::expect(m.rows() * m.columns(), rows * columns, what);
    detail::expect(m.columns() == 0 ? m.rows() : m.stride(), m.rows(), what);
  }

  /// Checks the sizes of a problem and makes room for its answer.
  static contact_solution room(const contacts &c) {
    const std::size_t nv = c.nv(), nc = c.normal.columns();
    packed(c.mass, nv, nv, "mass");
    packed(c.joint, nv, c.joint.columns(), "joint");
    packed(c.normal, nv, nc, "normal");
    packed(c.tangent, nv, nc * c.n_dir(), "tangent");
    if (c.n_dir() > 0)
      detail::expect(c.mu.size(), nc, "mu");
    contact_solution s;
    s.v.resize(nv);
    s.joint_impulse.resize(c.joint.columns());
    s.normal_impulse.resize(nc);
    s.friction_impulse.resize(nc * c.n_dir());
    return s;
  }

  template <class F>
  void solve_by(F function, const_matrix m, span<const double> q, span<double> z, span<double> w,
                stn_lcp_info *info) {
    const std::size_t n = m.columns();
    detail::expect(m.rows(), n, "a column of M");
    detail::expect(q.size(), n, "q");
    detail::expect(z.size(), n, "z");
    if (!w.empty())
      detail::expect(w.size(), n, "w");
    detail::check(function(get(), int_of(n), m.data(), int_of(m.stride()), q.data(), z.data(),
                           w.data(), info));
  }
  template <class F> lcp_solution solve_by(F function, const_matrix m, span<const double> q) {
    lcp_solution s{std::vector<double>(q.size()), std::vector<double>(q.size()), {}};
    solve_by(function, m, q, s.z, s.w, &s.info);
    return s;
  }

  detail::owner<stn_lcp, stn_lcp_destroy> handle_;
  std::unique_ptr<std::function<void(std::int64_t, double)>> progress_;
};

/// How far z is from solving a problem, without units: at most 1e-9 is a solution.
inline double lcp_residual(const_matrix m, span<const double> q, span<const double> z) {
  const std::int32_t n = detail::expect(q.size(), m.columns(), "q");
  detail::expect(m.rows(), m.columns(), "a column of M");
  detail::expect(z.size(), m.columns(), "z");
  double residual = 0.0;
  detail::check(stn_lcp_residual(n, m.data(), static_cast<std::int32_t>(m.stride()), q.data(),
                                 z.data(), &residual));
  return residual;
}

} // namespace stiction

#endif
