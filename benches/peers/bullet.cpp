// Bullet: btLemkeAlgorithm in double precision.
#define BT_USE_DOUBLE_PRECISION
#include "peer.h"

#include <BulletDynamics/MLCPSolvers/btLemkeAlgorithm.h>

struct Context {
  btMatrixXu m;
  btVectorXu q;
};

static void *prepare(peer_problem *p) {
  Context *c = new Context{btMatrixXu(p->n, p->n), btVectorXu(p->n)};
  for (int j = 0; j < p->n; j++) {
    c->q[j] = p->q[j];
    for (int i = 0; i < p->n; i++) {
      c->m.setElem(i, j, p->m[i + (size_t)j * p->n]);
    }
  }
  return c;
}

static void solve(peer_problem *p, void *context) {
  Context *c = static_cast<Context *>(context);
  btLemkeAlgorithm lemke(c->m, c->q);
  btVectorXu answer = lemke.solve(peer_limit(p->n));
  for (int i = 0; i < p->n; i++) {
    p->z[i] = answer.size() >= 2 * p->n ? answer[p->n + i] : 0.0;
  }
  p->claim = lemke.getInfo() == 0;
  p->pivots = lemke.getSteps();
}

static void release(void *context) { delete static_cast<Context *>(context); }

int main() { return peer_run(prepare, solve, release); }
