classdef Model < handle
% STICTION.MODEL  A mechanical system: M(t,q) dv/dt = force(t,q,v) + forces of joints and contacts.
%
%   ball = stiction.Model('nv', 1, 'n_contact', 1, 'restitution', 0.5, ...
%       'mass', 2, 'force', @(t, q, v) -20, 'gap', @(t, q) deal(q, 1));
%
% Sizes: nv, nq (nv when left out), n_joint, n_contact, n_dir, n_brake. mu and restitution: a number for all contacts or one each.
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
%
% An error inside a function ends the step, which changes nothing, and comes out of the call as it was raised. The error
% stiction:Refuse rejects the step instead. Models of built-in bodies come from stiction.Builder.
%
% See also stiction.Stepper, stiction.Builder.

  properties (SetAccess = private)
    dims = struct();          % nq, nv, n_joint, n_contact, n_dir, n_brake
  end
  properties (SetAccess = private, Hidden)
    id = [];                  % number of the handle
    functions = struct();     % what the gateway calls; empty for built-in bodies
  end

  methods
    function self = Model(varargin)
      if numel(varargin) == 2 && strcmp(varargin{1}, 'handle')
        self.id = varargin{2};
      else
        names = {'mass', 'force', 'force_jac', 'rate', 'joint', 'gap', 'tangent', 'brake'};
        [o, n, mu, e] = stiction.internal.sizes(names, varargin{:});
        f = struct('trap', @stiction.internal.trapped);
        for i = 1:numel(names)
          if isfield(o, names{i}), f.(names{i}) = callable(o.(names{i})); end
        end
        self.functions = f;
        self.id = stiction.internal.call('model_create', n, f, mu, e);
      end
      n = stiction.internal.call('model_dims', self.id);
      self.dims = struct('nq', n(1), 'nv', n(2), 'n_joint', n(3), 'n_contact', n(4), 'n_dir', n(5), 'n_brake', n(6));
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
      % ENERGY  Kinetic and, for built-in bodies, potential energy, J.
      [kinetic, potential] = stiction.internal.call('model_energy', self.id, self.functions, t, q, v);
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
