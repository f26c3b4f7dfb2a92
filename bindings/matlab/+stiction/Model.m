classdef Model < handle
% STICTION.MODEL  A mechanical system: M(t,q) dv/dt = force(t,q,v) + forces of joints and contacts.
%
%   ball = stiction.Model('nv', 1, 'n_contact', 1, 'restitution', 0.5, ...
%       'mass', 2, 'force', @(t, q, v) -20, 'gap', @(t, q) deal(q, 1));
%
% Sizes: nv, nq (nv when left out), n_joint, n_contact, n_dir, n_brake, n_element, max_contacts. mu and restitution: a number for all contacts or one each.
% Functions, of which mass is required and may be a constant matrix, as tangent may:
%
%   M              = mass(t, q)          nv by nv
%   f              = force(t, q, v)      nv numbers with every Coriolis term
%   [dfdq, dfdv]   = force_jac(t, q, v)  nv by nq, nv by nv; left out: by differences
%   qdot           = rate(t, q, v)       nq numbers; left out: v
%   [phi, jt]      = joint(t, q)         n_joint errors, nv by n_joint directions
%   [gap, normal]  = gap(t, q)           n_contact gaps, nv by n_contact normals
%   D              = tangent(t, q)       nv by n_contact*n_dir friction directions
%   [bound, dir]   = brake(t, q)         n_brake bounds, nv by n_brake directions
%   moved          = displace(t, q, d)   the position reached from q by the displacement d; left out: through rate
%   [aj, an, at]   = accel(t, q, v)      what v alone adds to accelerations of joints, gaps, slip; left out: by differences
%   [phi, g, k, c] = element(t, q)       n_element elongations, nv by n_element gradients, stiffness, damping: springs that
%                                        the library adds
%   list           = contacts(t, q, margin)  contacts that come and go, at most max_contacts with a gap up to margin
%
% contacts gives a struct array. Each has key, the whole number by which you know it again, gap and normal; with friction
% mu and tangent, nv by n_dir, or facets, first and second for the corners of a polygon. With index, normal and tangent
% have rows for those velocity coordinates only. restitution is 0 when left out. Contacts with the same group, a whole
% number, are branches of which one gap is enough; all of a group are in the list, or none.
%
% An error inside a function ends the step, which changes nothing, and comes out of the call as it was raised. The error
% stiction:Refuse rejects the step instead. Models of built-in bodies come from stiction.Builder.
%
% See also stiction.Stepper, stiction.Builder.

  properties (SetAccess = private)
    dims = struct();          % nq, nv, n_joint, n_contact, n_dir, n_brake, n_element
  end
  properties (SetAccess = private, Hidden)
    id = [];                  % number of the handle
    functions = struct();     % what the gateway calls; for built-in bodies functions of time, if there are any
  end

  methods
    function self = Model(varargin)
      if numel(varargin) >= 2 && strcmp(varargin{1}, 'handle')
        self.id = varargin{2};
        if numel(varargin) > 2, self.functions = varargin{3}; end
      else
        names = {'mass', 'force', 'force_jac', 'rate', 'joint', 'gap', 'tangent', 'brake', 'displace', ...
                 'accel', 'element', 'contacts'};
        [o, n, mu, e] = stiction.internal.sizes(names, varargin{:});
        f = struct('trap', @stiction.internal.trapped, 'touching', @stiction.internal.touching);
        for i = 1:numel(names)
          if isfield(o, names{i}), f.(names{i}) = callable(o.(names{i})); end
        end
        self.functions = f;
        self.id = stiction.internal.call('model_create', n, f, mu, e);
      end
      n = stiction.internal.call('model_dims', self.id);
      self.dims = struct('nq', n(1), 'nv', n(2), 'n_joint', n(3), 'n_contact', n(4), 'n_dir', n(5), 'n_brake', n(6), ...
                         'n_element', n(7));
    end

    function delete(self)
      % DELETE  Gives the model up; steppers made from it go on.
      if ~isempty(self.id), stiction.internal.call('model_destroy', self.id); end
      self.id = [];
    end

    function [worst, text] = check(self, t, q, v)
      % CHECK  Largest relative error of the derivatives that the model gives, and where it is: about 1 for a wrong one,
      % below 1e-6 for correct ones.
      [worst, text] = stiction.internal.call('model_check', self.id, self.functions, t, q, v);
    end

    function [q, v] = initial(self)
      % INITIAL  The state that a stepper starts from.
      [q, v] = stiction.internal.call('model_initial', self.id);
    end

    function [kinetic, potential] = energy(self, t, q, v)
      % ENERGY  Kinetic and, for built-in bodies and elements, potential energy, J; [] where there is none.
      [kinetic, potential] = stiction.internal.call('model_energy', self.id, self.functions, t, q, v);
    end

    function c = checkState(self, t, q, v)
      % CHECKSTATE  How far a state is from satisfying joints, joint velocities and gaps: joint, joint_speed, depth,
      % depth_key.
      c = stiction.internal.call('model_check_state', self.id, self.functions, t, q, v);
    end

    function [q, v, left] = nearestState(self, t, q, v)
      % NEARESTSTATE  The nearest state that satisfies joints, joint velocities and gaps, and what is left.
      [q, v, left] = stiction.internal.call('model_nearest_state', self.id, self.functions, t, q, v);
    end

    function f = coriolis(self, t, q, v)
      % CORIOLIS  Coriolis and centrifugal forces that the mass makes, by differences of it; for models without rate.
      f = stiction.internal.call('model_coriolis', self.id, self.functions, t, q, v);
    end

    function margin = coneMargin(self, t, q, near)
      % CONEMARGIN  Margin of the friction cone of the contacts with gaps up to near: 0 where impulses can cancel and bodies
      % may jam, Inf without contacts.
      if nargin < 4, near = 0; end
      margin = stiction.internal.call('model_cone', self.id, self.functions, t, q, near);
    end

    % The rest is for models of built-in bodies.

    function [linear, angular, mass] = momentum(self, q, v)
      % MOMENTUM  Linear momentum, angular momentum about the origin, and the mass of all bodies.
      [linear, angular, mass] = stiction.internal.call('model_momentum', self.id, q, v);
    end

    function [bodies, shapes] = contactPair(self, key)
      % CONTACTPAIR  The two bodies and shapes of a contact, by its key; body 0 is the ground, shape 0 a limit.
      n = stiction.internal.call('model_contact_pair', self.id, key) + 1;
      bodies = n(1:2);
      shapes = n(3:4);
    end

    function [inQ, inV] = bodyRange(self, body)
      % BODYRANGE  Where the coordinates of a body lie in q and in v, as indices.
      r = stiction.internal.call('model_body_range', self.id, body - 1);
      inQ = r(1) + (1:r(2));
      inV = r(3) + (1:r(4));
    end

    function rows = jointRange(self, joint)
      % JOINTRANGE  Which joint equations are those of a joint.
      r = stiction.internal.call('model_joint_range', self.id, joint - 1);
      rows = r(1) + (1:r(2));
    end

    function [place, velocity] = point(self, body, at, q, v)
      % POINT  World place and velocity of a point of a body; at in body coordinates, []: the center of mass.
      [place, velocity] = stiction.internal.call('model_point', self.id, body - 1, at, q, v);
    end

    function x = jointCoordinate(self, joint, freedom, q)
      % JOINTCOORDINATE  A free coordinate of a joint, 'angle' or 'slide', counted from the builder's pose.
      number = stiction.internal.enumerator('FREEDOM_', freedom);
      x = stiction.internal.call('model_joint_coordinate', self.id, joint - 1, number, q);
    end

    function pose = pose(self, body, q)
      % POSE  Center of mass x y z and unit quaternion w x y z of a built-in body.
      pose = stiction.internal.call('model_pose', self.id, body - 1, q);
    end
  end
end

function f = callable(f)
% A constant is a function too.
  if ~isa(f, 'function_handle')
    constant = f;
    f = @(varargin) constant;
  end
end
