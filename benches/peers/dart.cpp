// DART: its Lemke solver on Eigen matrices.
#include "peer.h"

#include <dart/lcpsolver/Lemke.hpp>

struct Context {
  Eigen::MatrixXd m;
  Eigen::VectorXd q;
};

static void *prepare(peer_problem *p) {
  return new Context{Eigen::Map<Eigen::MatrixXd>(p->m, p->n, p->n),
                     Eigen::Map<Eigen::VectorXd>(p->q, p->n)};
}

static void solve(peer_problem *p, void *context) {
  Context *c = static_cast<Context *>(context);
  Eigen::VectorXd z = Eigen::VectorXd::Zero(p->n);
  int error = dart::lcpsolver::Lemke(c->m, c->q, &z);
  for (int i = 0; i < p->n; i++) {
    p->z[i] = z.size() == p->n ? z[i] : 0.0;
  }
  p->claim = error == 0;
  p->pivots = -1;
}

static void release(void *context) { delete static_cast<Context *>(context); }

int main() { return peer_run(prepare, solve, release); }
