classdef Stepper < handle
% STICTION.STEPPER  The motion of a model.
%
%   s = stiction.Stepper(model)
%   s = stiction.Stepper(model, 'method', 'trapezoid', 'events', 'all', 'max_pivots', 100)
%   s.setState(0, q, v);
%   status = s.step(h);                 % 'ok', 'event' or, with the state as before, 'rejected'
%   status = s.advance(tEnd, h);
%   [t, q, v] = s.state();
%   e = s.events();                     % struct array: kind, contact, t, speed_before, speed_after, impulse, key
%   run = s.run(tEnd, h);               % struct: t, q and v by columns, events
%   bytes = s.save();  s.restore(bytes);
%   s.stats(), s.ledger(), s.contact(1), s.impulses(), s.forces(), s.stateAt(t)
%
% Options are those of stn_stepper_options in stiction.h; enumerators may be words. Contacts are counted from 1; their
% keys are doubles, or int64 where a double is too small.
%
%   ball = stiction.Model('nv', 1, 'n_contact', 1, 'restitution', 0.5, 'mass', 2, ...
%       'force', @(t, q, v) -20, 'gap', @(t, q) deal(q, 1));
%   s = stiction.Stepper(ball);
%   s.setState(0, 1, 0);
%   s.advance(0.7, 0.01);
%   s.events().t                        % 0.4472
%
% See also stiction.Model, stiction.Builder.

  properties (SetAccess = private)
    model = [];               % held as long as the stepper lives
  end
  properties (SetAccess = private, Hidden)
    id = [];
  end

  methods
    function self = Stepper(model, varargin)
      words = struct('method', 'METHOD_', 'events', 'EVENTS_', 'impact_law', 'IMPACT_', 'stabilization', 'STABILIZE_', ...
                     'energy_fallback', 'IMPACT_');
      o = stiction.internal.options({}, words, varargin{:});
      self.model = model;
      self.id = stiction.internal.call('stepper_create', model.id, model.functions, o);
    end

    function delete(self)
      % DELETE  Gives the stepper up.
      if ~isempty(self.id), stiction.internal.call('stepper_destroy', self.id); end
      self.id = [];
    end

    function setState(self, t, q, v)
      % SETSTATE  Puts the motion at (t, q, v).
      stiction.internal.call('stepper_set_state', self.id, self.model.functions, t, q, v);
    end

    function [t, q, v] = state(self)
      % STATE  Where the motion stands.
      [t, q, v] = stiction.internal.call('stepper_get_state', self.id);
    end

    function status = step(self, h)
      % STEP  One step, to t + h exactly.
      status = stiction.internal.call('stepper_step', self.id, self.model.functions, h);
    end

    function status = advance(self, tEnd, h)
      % ADVANCE  Steps of h to tEnd; events then holds those of all steps.
      status = stiction.internal.call('stepper_advance', self.id, self.model.functions, tEnd, h);
    end

    function e = events(self)
      % EVENTS  What happened in the last step or advance, as a struct array in order of time.
      e = stiction.internal.call('stepper_events', self.id);
    end

    function s = stats(self)
      % STATS  Counters since creation, worst residual, gap and joint drift.
      s = stiction.internal.call('stepper_stats', self.id);
    end

    function l = ledger(self, span)
      % LEDGER  Where kinetic energy came from and where it went, J: since the state was set, or 'step' for the last step.
      if nargin < 2, span = 'sum'; end
      l = stiction.internal.call('stepper_ledger', self.id, stiction.internal.enumerator('LEDGER_', span));
    end

    function [joint, normal, friction] = impulses(self)
      % IMPULSES  Impulses of the last step, impacts in it included, N s.
      n = self.rows();
      [joint, normal, friction] = stiction.internal.call('stepper_impulses', self.id, n);
    end

    function b = brakeImpulses(self)
      % BRAKEIMPULSES  Impulses of the brakes over the last step, N s.
      b = stiction.internal.call('stepper_brake_impulses', self.id, self.model.dims.n_brake);
    end

    function f = forces(self)
      % FORCES  What acts at the present state: acceleration, joint, normal and friction forces, slip_speed.
      n = self.rows();
      f = stiction.internal.call('stepper_forces', self.id, self.model.functions, n);
    end

    function n = contactCount(self)
      % CONTACTCOUNT  Contacts that have an index: those with a gap, then the places of those that come and go.
      n = stiction.internal.call('stepper_contact_count', self.id);
    end

    function i = findContact(self, key)
      % FINDCONTACT  Index of a contact by its key at the present state; [] when it is not there.
      i = stiction.internal.call('stepper_find_contact', self.id, key) + 1;
      if i == 0, i = []; end
    end

    function key = contactKey(self, i)
      % CONTACTKEY  Key of a contact at the present state; [] for a place that is free.
      key = stiction.internal.call('stepper_contact_key', self.id, i - 1);
    end

    function c = contact(self, i)
      % CONTACT  What a contact does at the present state: mode, gap, gap_rate, slip_speed, impulses of the last step.
      c = stiction.internal.call('stepper_contact', self.id, self.model.functions, i - 1);
    end

    function [q, v] = stateAt(self, t)
      % STATEAT  The state at any time inside the last step.
      [q, v] = stiction.internal.call('stepper_state_at', self.id, self.model.functions, t);
    end

    function status = passiveStep(self, h)
      % PASSIVESTEP  One step of a stiction.passive model: after 'wanted' answer all requests and call it again with the
      % same h.
      status = stiction.internal.call('passive_step', self.id, h);
    end

    function r = requests(self)
      % REQUESTS  What the last passiveStep wants to know: struct array with what, a cell of names, and t, q, v.
      r = stiction.internal.call('passive_requests', self.id);
    end

    function put(self, i, what, values)
      % PUT  Answers one array of request i.
      stiction.internal.call('passive_put', self.id, i - 1, what, values);
    end

    function cancel(self)
      % CANCEL  Forgets all requests and answers of a passive step.
      stiction.internal.call('passive_cancel', self.id);
    end

    function bytes = save(self)
      % SAVE  A snapshot: after restore, the following steps give the same bits.
      bytes = stiction.internal.call('stepper_save', self.id);
    end

    function restore(self, bytes)
      % RESTORE  Takes up a snapshot of a stepper with the same model and options.
      stiction.internal.call('stepper_restore', self.id, bytes);
    end

    function r = run(self, tEnd, h)
      % RUN  Advances to tEnd and keeps the state after every h: t, q and v by columns, and all events.
      [t0, q, v] = self.state();
      ratio = (tEnd - t0) / h;
      n = ceil(ratio);
      % As the library counts: a remainder below 1e-9 of a step is rounding.
      if abs(ratio - round(ratio)) <= 1e-9, n = round(ratio); end
      r = struct('t', zeros(1, n + 1), 'q', zeros(numel(q), n + 1), 'v', zeros(numel(v), n + 1), 'events', []);
      r.t(1) = t0;
      r.q(:, 1) = q;
      r.v(:, 1) = v;
      found = cell(1, n);
      for k = 1:n
        to = t0 + k * h;
        if k == n, to = tEnd; end
        if strcmp(self.advance(to, h), 'rejected')
          error('stiction:Refuse', 'a function of the model refused a point after t = %g', r.t(k));
        end
        found{k} = self.events();
        [r.t(k + 1), r.q(:, k + 1), r.v(:, k + 1)] = self.state();
      end
      r.events = vertcat(found{:});
    end
  end

  methods (Access = private)
    function n = rows(self)
      % How many impulses or forces there are: along joints, normals, friction directions.
      d = self.model.dims;
      c = self.contactCount();
      n = [d.n_joint, c, c * d.n_dir];
    end
  end
end
