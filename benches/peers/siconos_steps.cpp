// Two published experiments by the integrators of Siconos, for the bench of steps.
//
//   siconos_steps pendulum|events|block STEPS RUNS
//
// prints the least thread CPU seconds of RUNS runs and four
// numbers to judge: q at the end of the pendulum in coordinates of the points, or x of the block at
// 0.4, 2, 2.9 and 10 s.
#include <SiconosKernel.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

static double cpu() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

// The double pendulum in its two angles; Siconos has inertial forces on the left side.
static const double G = 9.8;
static const double PI = std::acos(-1.0);

static void mass(unsigned, double *q, double *m, unsigned, double *) {
  m[0] = 2.0;
  m[1] = m[2] = std::cos(q[0] - q[1]);
  m[3] = 1.0;
}
static void gyro(unsigned, double *q, double *w, double *f, unsigned, double *) {
  const double s = std::sin(q[0] - q[1]);
  f[0] = s * w[1] * w[1];
  f[1] = -s * w[0] * w[0];
}
static void gyro_q(unsigned, double *q, double *w, double *j, unsigned, double *) {
  const double c = std::cos(q[0] - q[1]);
  j[0] = c * w[1] * w[1];
  j[1] = -c * w[0] * w[0];
  j[2] = -j[0];
  j[3] = -j[1];
}
static void gyro_v(unsigned, double *q, double *w, double *j, unsigned, double *) {
  const double s = std::sin(q[0] - q[1]);
  j[0] = j[3] = 0.0;
  j[1] = -2.0 * s * w[0];
  j[2] = 2.0 * s * w[1];
}
static void weight(double, unsigned, double *q, double *, double *f, unsigned, double *) {
  f[0] = 2.0 * G * std::sin(q[0]);
  f[1] = G * std::sin(q[1]);
}
static void weight_q(double, unsigned, double *q, double *, double *j, unsigned, double *) {
  j[0] = 2.0 * G * std::cos(q[0]);
  j[3] = G * std::cos(q[1]);
  j[1] = j[2] = 0.0;
}
static void weight_v(double, unsigned, double *, double *, double *j, unsigned, double *) {
  std::memset(j, 0, 4 * sizeof(double));
}

// Distance of a point from the wall: sum of the sines of the angles up to it.
class Wall : public LagrangianScleronomousR {
  unsigned points;

 public:
  explicit Wall(unsigned n) : points(n) {}
  void computeh(const BlockVector &q, BlockVector &, SiconosVector &y) override {
    double x = 0.0;
    for (unsigned i = 0; i < points; ++i) x += std::sin(q(i));
    y.setValue(0, x);
  }
  void computeJachq(const BlockVector &q, BlockVector &) override {
    for (unsigned i = 0; i < 2; ++i) {
      _jachq->setValue(0, i, i < points ? std::cos(q(i)) : 0.0);
    }
  }
  void computeDotJachq(const BlockVector &q, BlockVector &, const BlockVector &w) override {
    if (!_dotjachq) _dotjachq.reset(new SimpleMatrix(1, 2));
    for (unsigned i = 0; i < 2; ++i) {
      _dotjachq->setValue(0, i, i < points ? -std::sin(q(i)) * w(i) : 0.0);
    }
  }
};

struct Pendulum {
  SP::NonSmoothDynamicalSystem system;
  SP::LagrangianDS ds;
};

static Pendulum pendulum(double end) {
  SP::SiconosVector q(new SiconosVector(2)), w(new SiconosVector(2));
  q->setValue(0, PI / 3.0);
  q->setValue(1, PI / 5.0);
  Pendulum p;
  p.ds.reset(new LagrangianDS(q, w));
  p.ds->setComputeMassFunction(&mass);
  p.ds->setComputeFGyrFunction(&gyro);
  p.ds->setComputeJacobianFGyrqFunction(&gyro_q);
  p.ds->setComputeJacobianFGyrqDotFunction(&gyro_v);
  p.ds->setComputeFIntFunction(&weight);
  p.ds->setComputeJacobianFIntqFunction(&weight_q);
  p.ds->setComputeJacobianFIntqDotFunction(&weight_v);
  p.system.reset(new NonSmoothDynamicalSystem(0.0, end));
  p.system->insertDynamicalSystem(p.ds);
  for (unsigned i = 1; i <= 2; ++i) {
    SP::NonSmoothLaw law(new NewtonImpactNSL(0.1));
    SP::Interaction wall(new Interaction(law, SP::Relation(new Wall(i))));
    p.system->link(wall, p.ds);
  }
  return p;
}

static void points(const SiconosVector &q, double *x) {
  x[0] = std::sin(q(0));
  x[1] = -std::cos(q(0));
  x[2] = x[0] + std::sin(q(1));
  x[3] = x[1] - std::cos(q(1));
}

// Rows are on velocities, and a contact takes part from a gap of 1e-8 on: its default is zero, and
// a gap closed up to rounding is then not held.
static SP::MoreauJeanOSI moreau() {
  SP::MoreauJeanOSI rule(new MoreauJeanOSI(0.5));
  rule->setConstraintActivationThreshold(1e-8);
  return rule;
}

static double run_pendulum(int n, double *x) {
  const double end = 2.5, h = end / n;
  Pendulum p = pendulum(end + h);
  SP::TimeDiscretisation grid(new TimeDiscretisation(0.0, h));
  SP::TimeStepping s(new TimeStepping(p.system, grid, moreau(), SP::LCP(new LCP())));
  s->setNewtonTolerance(1e-10);
  s->setNewtonMaxIteration(10);
  s->initialize();
  const double start = cpu();
  for (int k = 0; k < n; ++k) {
    s->computeOneStep();
    s->nextStep();
  }
  const double used = cpu() - start;
  points(*p.ds->q(), x);
  return used;
}

static double run_events(int n, double *x) {
  const double end = 2.5, h = end / n;
  Pendulum p = pendulum(end);
  SP::TimeDiscretisation grid(new TimeDiscretisation(0.0, h));
  SP::EventDriven s(new EventDriven(p.system, grid));
  SP::LsodarOSI rule(new LsodarOSI());
  s->insertIntegrator(rule);
  s->insertNonSmoothProblem(SP::LCP(new LCP()), SICONOS_OSNSP_ED_IMPACT);
  s->insertNonSmoothProblem(SP::LCP(new LCP()), SICONOS_OSNSP_ED_SMOOTH_ACC);
  s->initialize();
  rule->setTol(1, 1e-14, 1e-14);
  const double start = cpu();
  while (s->hasNextEvent()) {
    s->advanceToEvent();
    // Else the event is judged by the acceleration of the step before.
    p.ds->computeRhs(s->nextTime());
    s->processEvents();
  }
  const double used = cpu() - start;
  points(*p.ds->q(), x);
  return used;
}

static void push(double t, unsigned, double *f, unsigned, double *) {
  f[0] = 8.0 * std::cos(t);
  f[1] = -9.81;
}

static double run_block(int n, double *x) {
  const double end = 10.0, h = end / n;
  const double when[4] = {0.4, 2.0, 2.9, 10.0};
  SP::SiconosVector q(new SiconosVector(2)), v(new SiconosVector(2));
  q->setValue(0, 3.0);
  SP::SiconosMatrix m(new SimpleMatrix(2, 2));
  m->eye();
  SP::LagrangianLinearTIDS ds(new LagrangianLinearTIDS(q, v, m));
  ds->setComputeFExtFunction(&push);
  SP::SimpleMatrix rows(new SimpleMatrix(2, 2));
  rows->setValue(0, 1, 1.0);
  rows->setValue(1, 0, 1.0);
  SP::NonSmoothLaw law(new NewtonImpactFrictionNSL(0.0, 0.0, 0.8, 2));
  SP::Interaction ground(new Interaction(law, SP::Relation(new LagrangianLinearTIR(rows))));
  SP::NonSmoothDynamicalSystem system(new NonSmoothDynamicalSystem(0.0, end + h));
  system->insertDynamicalSystem(ds);
  system->link(ground, ds);
  SP::TimeDiscretisation grid(new TimeDiscretisation(0.0, h));
  SP::OneStepNSProblem problem(new FrictionContact(2, SICONOS_FRICTION_2D_LEMKE));
  SP::TimeStepping s(new TimeStepping(system, grid, moreau(), problem));
  s->initialize();
  int seen = 0;
  const double start = cpu();
  for (int k = 1; k <= n; ++k) {
    s->computeOneStep();
    s->nextStep();
    if (k * h >= when[seen] - 0.5 * h) x[seen++] = (*ds->q())(0);
  }
  return cpu() - start;
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  const int n = std::atoi(argv[2]), runs = std::atoi(argv[3]);
  double best = INFINITY, x[4] = {NAN, NAN, NAN, NAN};
  for (int run = 0; run < runs; ++run) {
    double used = NAN;
    if (!std::strcmp(argv[1], "pendulum")) used = run_pendulum(n, x);
    if (!std::strcmp(argv[1], "events")) used = run_events(n, x);
    if (!std::strcmp(argv[1], "block")) used = run_block(n, x);
    best = std::fmin(best, used);
  }
  std::printf("%.9e %.17g %.17g %.17g %.17g\n", best, x[0], x[1], x[2], x[3]);
  return 0;
}
