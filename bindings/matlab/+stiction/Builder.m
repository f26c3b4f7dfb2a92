classdef Builder < handle
% STICTION.BUILDER  Collects built-in bodies and what acts between them; build makes a stiction.Model of it.
%
%   b = stiction.Builder([0 0 -9.81]);                    % gravity
%   b.setSurface(1, 1, 0.3, 0.5);                         % friction and restitution of the first material
%   ball = b.addPoint3(2, [0 0 0.6]);
%   b.addBall(ball, 0.1);
%   b.addHalfSpace(b.GROUND, [0 0 1]);
%   s = stiction.Stepper(b.build());
%   s.advance(0.5, 0.01);
%
% Bodies, joints, shapes and materials are numbers, counted from 1; GROUND is the world. Points are in body coordinates,
% [] is the center of mass. Joint kinds are 'spherical', 'revolute', 'universal', 'cylindrical', 'prismatic', 'fixed';
% freedoms are 'angle' and 'slide'. SI units. Functions of time are function handles f(t):
% a number for drives and motors, three numbers for forces and torques.
%
% See also stiction.Model, stiction.Stepper.

  properties (Constant)
    GROUND = 0;               % the world, where a body is asked for
  end
  properties (SetAccess = private, Hidden)
    id = [];
    signals = {};             % functions of time, in the order in which the gateway knows them
  end

  methods
    function self = Builder(gravity)
      self.id = stiction.internal.call('builder_create');
      if nargin > 0, self.call('gravity', gravity); end
    end

    function delete(self)
      % DELETE  Gives the builder up; its models live on.
      if ~isempty(self.id), stiction.internal.call('builder_destroy', self.id); end
      self.id = [];
    end

    function model = build(self)
      % BUILD  A model of everything added so far; the builder can be used further.
      f = self.functions();
      model = stiction.Model('handle', stiction.internal.call('builder_build', self.id, f), f);
    end

    function setGravity(self, g)
      % SETGRAVITY  Acceleration of gravity, m/s^2; zero before.
      self.call('gravity', g);
    end
    function setFacets(self, n)
      % SETFACETS  Friction directions per contact; by default 8, and 2 in the plane.
      self.call('facets', n);
    end
    function setVelocity(self, body, linear, angular)
      % SETVELOCITY  Initial velocity of a body, world axes.
      if nargin < 4, angular = []; end
      self.call('velocity', body - 1, linear, angular);
    end
    function setSurface(self, a, b, mu, restitution, axis, muAcross)
      % SETSURFACE  How two materials meet; with an axis, friction is mu along it and muAcross across it.
      if nargin < 5, restitution = 0; end
      if nargin < 7, axis = []; muAcross = 0; end
      self.call('surface', a - 1, b - 1, mu, restitution, axis, muAcross);
    end
    function setGroups(self, shape, group, meets)
      % SETGROUPS  Bits of the groups that a shape belongs to, and of those that it meets.
      self.call('groups', shape - 1, group, meets);
    end

    function n = addPoint2(self, mass, at)
      % ADDPOINT2  A point mass in the plane: q = (x, y).
      n = self.call('point2', mass, at);
    end
    function n = addPoint3(self, mass, at)
      % ADDPOINT3  A point mass in space: q = (x, y, z).
      n = self.call('point3', mass, at);
    end
    function n = addPlanar(self, mass, inertia, at, angle)
      % ADDPLANAR  A rigid body in the plane: q = (x, y, theta).
      if nargin < 5, angle = 0; end
      n = self.call('planar', mass, inertia, at, angle);
    end
    function n = addSpatial(self, mass, inertia, pose)
      % ADDSPATIAL  A rigid body in space; inertia 3 by 3, pose x y z, or x y z and a unit quaternion w x y z.
      n = self.call('spatial', mass, inertia, full7(pose));
    end

    function n = addJoint(self, kind, a, b, at, axis, axisB)
      % ADDJOINT  Joins two bodies at a point of the pose; point and axes in world axes.
      if nargin < 6, axis = []; end
      if nargin < 7, axisB = []; end
      n = self.call('joint', stiction.internal.enumerator('JOINT_', kind), a - 1, b - 1, at, axis, axisB);
    end
    function n = addRod(self, a, atA, b, atB, length)
      % ADDROD  Keeps two points at a distance; 0 or left out: that of the pose.
      if nargin < 6, length = 0; end
      n = self.call('rod', a - 1, atA, b - 1, atB, length);
    end
    function addLimit(self, joint, freedom, low, high, restitution)
      % ADDLIMIT  Keeps a free coordinate of a joint between two ends, which may be infinite.
      if nargin < 6, restitution = 0; end
      self.call('limit', joint - 1, stiction.internal.enumerator('FREEDOM_', freedom), low, high, restitution);
    end
    function addDistanceLimit(self, a, atA, b, atB, low, high, restitution)
      % ADDDISTANCELIMIT  Keeps the distance of two points between two ends: a rope has no lower end.
      if nargin < 8, restitution = 0; end
      self.call('distance_limit', a - 1, atA, b - 1, atB, low, high, restitution);
    end
    function addSpring(self, a, atA, b, atB, stiffness, damping, rest)
      % ADDSPRING  A spring and damper between two points; rest 0 or left out: their distance at the pose.
      if nargin < 8, rest = 0; end
      self.call('spring', a - 1, atA, b - 1, atB, stiffness, damping, rest);
    end
    function addBushing(self, a, atA, b, atB, stiffness, damping)
      % ADDBUSHING  A spring and damper that pulls two points together in every direction.
      self.call('bushing', a - 1, atA, b - 1, atB, stiffness, damping);
    end
    function addJointSpring(self, joint, freedom, stiffness, damping, rest)
      % ADDJOINTSPRING  A spring and damper along a free coordinate of a joint.
      if nargin < 6, rest = 0; end
      self.call('joint_spring', joint - 1, stiction.internal.enumerator('FREEDOM_', freedom), stiffness, damping, rest);
    end

    function addJointFriction(self, joint, freedom, bound)
      % ADDJOINTFRICTION  Dry friction along a free coordinate of a joint, of at most bound, N m or N.
      self.call('joint_friction', joint - 1, stiction.internal.enumerator('FREEDOM_', freedom), bound);
    end

    function n = addDrive(self, joint, freedom, motion)
      % ADDDRIVE  Prescribes a free coordinate of a joint as a function of time, from the builder's pose.
      n = self.inTime(motion, 'drive', joint - 1, stiction.internal.enumerator('FREEDOM_', freedom));
    end
    function addMotor(self, joint, freedom, force)
      % ADDMOTOR  A force or torque along a free coordinate of a joint, given in time.
      self.inTime(force, 'motor', joint - 1, stiction.internal.enumerator('FREEDOM_', freedom));
    end
    function addForce(self, body, force, at)
      % ADDFORCE  A force on a body, given in time, world axes; at: where, in body coordinates.
      if nargin < 4, at = []; end
      self.inTime(force, 'force', body - 1, at);
    end
    function addTorque(self, body, torque)
      % ADDTORQUE  A torque on a body, given in time, world axes.
      self.inTime(torque, 'torque', body - 1);
    end

    function n = addMaterial(self)
      % ADDMATERIAL  A material besides the first, which is always there.
      n = self.call('material');
    end
    function n = addBall(self, body, radius, pose, material)
      % ADDBALL  A ball, in the plane a disc.
      if nargin < 4, pose = []; end
      if nargin < 5, material = 1; end
      n = self.call('ball', body - 1, radius, full7(pose), material - 1);
    end
    function n = addCapsule(self, body, halfLength, radius, pose, material)
      % ADDCAPSULE  All points within a radius of a segment along the x axis of its pose.
      if nargin < 5, pose = []; end
      if nargin < 6, material = 1; end
      n = self.call('capsule', body - 1, halfLength, radius, full7(pose), material - 1);
    end
    function n = addBox(self, body, half, pose, material)
      % ADDBOX  A box by half its edges.
      if nargin < 4, pose = []; end
      if nargin < 5, material = 1; end
      n = self.call('box', body - 1, half, full7(pose), material - 1);
    end
    function n = addPolygon(self, body, vertices, pose, material)
      % ADDPOLYGON  The convex hull of points of the plane, one per column.
      if nargin < 4, pose = []; end
      if nargin < 5, material = 1; end
      n = self.call('polygon', body - 1, vertices, full7(pose), material - 1);
    end
    function n = addHalfSpace(self, body, normal, pose, material)
      % ADDHALFSPACE  Everything below a plane.
      if nargin < 4, pose = []; end
      if nargin < 5, material = 1; end
      n = self.call('half_space', body - 1, normal, full7(pose), material - 1);
    end
    function n = addHull(self, body, points, pose, material)
      % ADDHULL  The convex hull of 4 to 64 points in space, one per column.
      if nargin < 4, pose = []; end
      if nargin < 5, material = 1; end
      n = self.call('hull', body - 1, points, full7(pose), material - 1);
    end
    function n = addMesh(self, body, vertices, triangles, pose, material)
      % ADDMESH  A sheet of triangles, solid below: corners by columns, and columns of three numbers of corners, counted from
      % 1, counterclockwise seen from outside.
      if nargin < 5, pose = []; end
      if nargin < 6, material = 1; end
      n = self.call('mesh', body - 1, vertices, int32(triangles) - 1, full7(pose), material - 1);
    end
    function n = addHeightField(self, body, size, heights, pose, material)
      % ADDHEIGHTFIELD  Heights over a grid around the pose, of size(1) by size(2); heights(i, j) stands at the i-th x and the
      % j-th y.
      if nargin < 5, pose = []; end
      if nargin < 6, material = 1; end
      n = self.call('height_field', body - 1, size, heights, full7(pose), material - 1);
    end
  end

  methods (Access = private)
    function n = inTime(self, f, what, varargin)
      % Adds what a function of time moves, and forgets the function if that fails.
      if ~isa(f, 'function_handle'), error('stiction:Argument', '%s needs a function handle of t', what); end
      before = self.signals;
      self.signals{end + 1} = f;
      try
        n = self.call(what, varargin{:});
      catch failure
        self.signals = before;
        rethrow(failure);
      end
    end
    function n = call(self, what, varargin)
      n = stiction.internal.call('builder_call', self.id, self.functions(), what, varargin) + 1;
    end
    function f = functions(self)
      % What the gateway calls.
      f = struct('trap', @stiction.internal.trapped);
      f.signals = self.signals;
    end
  end
end

function pose = full7(pose)
% A place alone stands along the axes.
  if numel(pose) == 3, pose = [pose(:); 1; 0; 0; 0]; end
end
