// Scenes of many contacts by ODE, for the bench of many contacts.
//
//   ode step|quick < SCENE
//
// reads the text of a scene and prints: thread CPU seconds, steps done, most contacts at once, deepest penetration,
// largest way of a body (of the two halves of a joint from each other where there are joints), x of the first body.
#include <ode/ode.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

static double cpu() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

struct Point {
  int body;
  dVector3 at;
};
struct Plane {
  double n[3], d;
};

static dWorldID world;
static dJointGroupID touching;
static double mu, deepest;
static int contacts;
static std::vector<Plane> planes;
static std::vector<dBodyID> bodies;
static std::vector<std::pair<dBodyID, dBodyID>> jointed;
static std::vector<dJointID> joints;

static void touch(dBodyID a, dBodyID b, const dContactGeom &where) {
  dContact c = {};
  c.surface.mode = dContactApprox1;
  c.surface.mu = mu;
  c.geom = where;
  dJointAttach(dJointCreateContact(world, touching, &c), a, b);
  deepest = std::max(deepest, double(where.depth));
  ++contacts;
}

static void near(void *, dGeomID g, dGeomID h) {
  dBodyID a = dGeomGetBody(g), b = dGeomGetBody(h);
  if (a == b) return;
  for (const auto &j : jointed) {
    if ((j.first == a && j.second == b) || (j.first == b && j.second == a)) return;
  }
  dContactGeom found[16];
  const int n = dCollide(g, h, 16, found, sizeof found[0]);
  for (int i = 0; i < n; ++i) touch(a, b, found[i]);
}

// ODE has no shape for a single point: its contacts are made here.
static void near_planes(const Point &p) {
  dVector3 x;
  dBodyGetRelPointPos(bodies[p.body], p.at[0], p.at[1], p.at[2], x);
  for (const Plane &plane : planes) {
    const double gap = plane.n[0] * x[0] + plane.n[1] * x[1] + plane.n[2] * x[2] - plane.d;
    // Closed up to far more than rounding, far less than it is off by otherwise.
    if (gap > 1e-8) continue;
    dContactGeom c = {};
    for (int k = 0; k < 3; ++k) {
      c.pos[k] = x[k];
      c.normal[k] = plane.n[k];
    }
    c.depth = std::max(0.0, -gap);
    touch(bodies[p.body], nullptr, c);
  }
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  const bool quick = std::string(argv[1]) == "quick";
  dInitODE2(0);
  dAllocateODEDataForThread(dAllocateMaskAll);
  world = dWorldCreate();
  dSpaceID space = dHashSpaceCreate(nullptr);
  touching = dJointGroupCreate(0);
  dWorldSetAutoDisableFlag(world, 0);
  double h = 0, limit = 0, push[7] = {};
  int steps = 0, pushed = -1;
  std::vector<Point> points;
  std::vector<double> start;
  for (std::string line, word; std::getline(std::cin, line);) {
    std::istringstream in(line);
    in >> word;
    if (word == "run") in >> h >> steps >> limit;
    if (word == "world") {
      double g;
      in >> g >> mu;
      dWorldSetGravity(world, 0, 0, -g);
    }
    if (word == "body") {
      double m, i[3], x[3], v[3], w[3];
      in >> m;
      for (double *to : {i, x, v, w}) in >> to[0] >> to[1] >> to[2];
      dBodyID b = dBodyCreate(world);
      dMass mass;
      dMassSetParameters(&mass, m, 0, 0, 0, i[0], i[1], i[2], 0, 0, 0);
      dBodySetMass(b, &mass);
      dBodySetPosition(b, x[0], x[1], x[2]);
      dBodySetLinearVel(b, v[0], v[1], v[2]);
      dBodySetAngularVel(b, w[0], w[1], w[2]);
      bodies.push_back(b);
      start.insert(start.end(), x, x + 3);
    }
    if (word == "joint") {
      int a, b;
      double x, y, z;
      in >> a >> b >> x >> y >> z;
      dJointID j = dJointCreateBall(world, nullptr);
      dJointAttach(j, bodies[a], bodies[b]);
      dJointSetBallAnchor(j, x, y, z);
      jointed.push_back({bodies[a], bodies[b]});
      joints.push_back(j);
    }
    if (word == "push") {
      in >> pushed;
      for (double &x : push) in >> x;
    }
    if (word != "point" && word != "ball" && word != "box" && word != "rod" && word != "plane") continue;
    int body;
    double x[3], s[3] = {};
    in >> body >> x[0] >> x[1] >> x[2] >> s[0] >> s[1] >> s[2];
    if (word == "point") {
      points.push_back({body, {x[0], x[1], x[2], 0}});
      continue;
    }
    dGeomID g = nullptr;
    if (word == "ball") g = dCreateSphere(space, s[0]);
    if (word == "box") g = dCreateBox(space, 2 * s[0], 2 * s[1], 2 * s[2]);
    if (word == "rod") g = dCreateCapsule(space, s[2], 2 * s[1]);
    if (word == "plane") {
      const double d = s[0] * x[0] + s[1] * x[1] + s[2] * x[2];
      dCreatePlane(space, s[0], s[1], s[2], d);
      planes.push_back({{s[0], s[1], s[2]}, d});
      continue;
    }
    if (body < 0) {
      dGeomSetPosition(g, x[0], x[1], x[2]);
      continue;
    }
    dGeomSetBody(g, bodies[body]);
    dGeomSetOffsetPosition(g, x[0], x[1], x[2]);
    if (word == "rod" && s[0] < 2) {
      // From z, where its rods lie, to x or y.
      dMatrix3 r;
      dRFromAxisAndAngle(r, s[0] > 0, s[0] == 0, 0, M_PI / 2);
      dGeomSetOffsetRotation(g, r);
    }
  }
  double spent = 0;
  double moved = 0;
  int done = 0, most = 0;
  while (done < steps && spent < limit) {
    const double begin = cpu();
    if (pushed >= 0) {
      const double f = std::cos(push[6] * h * done);
      dBodyAddForceAtRelPos(bodies[pushed], f * push[3], f * push[4], f * push[5], push[0], push[1], push[2]);
    }
    contacts = 0;
    dSpaceCollide(space, nullptr, &near);
    for (const Point &p : points) near_planes(p);
    if (quick) {
      dWorldQuickStep(world, h);
    } else {
      dWorldStep(world, h);
    }
    dJointGroupEmpty(touching);
    spent += cpu() - begin;
    most = std::max(most, contacts);
    ++done;
    for (dJointID j : joints) {
      dVector3 a, b;
      dJointGetBallAnchor(j, a);
      dJointGetBallAnchor2(j, b);
      for (int k = 0; k < 3; ++k) moved = std::max(moved, std::fabs(a[k] - b[k]));
    }
  }
  for (size_t b = 0; joints.empty() && b < bodies.size(); ++b) {
    const dReal *x = dBodyGetPosition(bodies[b]);
    for (int k = 0; k < 3; ++k) moved = std::max(moved, std::fabs(x[k] - start[3 * b + k]));
  }
  std::printf("%.9e %d %d %.6e %.6e %.17g\n", spent, done, most, deepest, moved, dBodyGetPosition(bodies[0])[0]);
  return 0;
}
