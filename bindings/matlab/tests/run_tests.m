function run_tests(folder)
% RUN_TESTS  Everything the binding promises, in MATLAB or Octave; the first failure is an error. The gateway, the
% package and the examples must be on the path. The motion of the pendulum is left in the folder, [] for none.
  tests = {@problems_agree_with_closed_forms, @failures_have_identifiers, @wrong_arguments_are_named, ...
           @a_ball_lands_when_it_must, @run_gives_the_bits_of_advance, @a_snapshot_continues_with_the_same_bits, ...
           @an_error_in_a_function_comes_out_as_it_was, @a_refused_point_rejects_the_step, ...
           @results_of_the_wrong_shape_are_named, @every_function_of_a_model_is_called, @a_function_may_move_another, ...
           @books_contacts_and_impulses_are_read, @a_brake_holds_up_to_its_bound, ...
           @a_passive_model_moves_with_the_bits_of_functions, @bodies_are_built, @bodies_follow_functions_of_time, ...
           @an_error_in_a_function_of_time_comes_out, @solids_rest_on_uneven_ground, @contacts_come_and_go_by_key, ...
           @of_a_group_one_gap_is_enough, ...
           @a_declared_spring_swings, @a_model_answers_about_a_state, @() pendulum_hits_the_wall_when_the_reference_says(folder), ...
           @block_sticks_and_slips_when_the_closed_form_says, @deleted_objects_are_refused, ...
           @objects_give_up_their_handles, @ten_thousand_handles_leave_nothing_behind, @every_function_has_help};
  for i = 1:numel(tests)
    tic();
    tests{i}();
    fprintf('ok   %s, %.1f s\n', func2str(tests{i}), toc());
  end
end

function near(a, b, tolerance)
  if nargin < 3, tolerance = 1e-12; end
  if ~isequal(size(a), size(b)) || any(abs(a(:) - b(:)) > tolerance)
    error('tests:Near', '%s is not %s', mat2str(a, 17), mat2str(b, 17));
  end
end

function raises(identifier, f)
  try
    f();
  catch e
    if ~strcmp(e.identifier, identifier), rethrow(e); end
    return
  end
  error('tests:Raises', 'nothing was raised instead of %s', identifier);
end

function m = ball(varargin)
% 2 kg under 10 m/s^2, e = 0.5: dropped from 1 m it lands after sqrt(0.2) s.
  o = struct('nv', 1, 'n_contact', 1, 'restitution', 0.5, 'mass', 2);
  o.force = @(t, q, v) -20;
  o.gap = @(t, q) deal(q, 1);
  for i = 1:2:numel(varargin), o.(varargin{i}) = varargin{i + 1}; end
  m = stiction.Model(o);
end

function s = dropped(model, varargin)
  s = stiction.Stepper(model, varargin{:});
  s.setState(0, 1, 0);
end

function problems_agree_with_closed_forms()
  % Unsymmetric: transposed by mistake, z would be (4, 0).
  [z, w, info] = stiction.lcp([1 2; 0 1], [-4; -1], 'tolerance', 1e-10);
  near(z, [2; 1]);
  near(w, [0; 0]);
  assert(info.residual <= 1e-10 && stiction.lcpResidual([1 2; 0 1], [-4; -1], z) <= 1e-9);
  near(stiction.mlcp([1 1; 1 2], [-3; -4], 1), [2; 1]);
  % README of the library: a sliding ball rolls after the impact, v = 5/7 of before.
  m = 0.5; r = 0.1;
  [v, c, ~, between] = stiction.impact(diag([m m 0.4 * m * r * r]), [2; -3; 0], 'normal', [0; 1; 0], ...
      'tangent', [1 -1; 0 0; r -r], 'mu', 0.3, 'restitution', 0.8, 'law', 'poisson');
  near(v, [10 / 7; 2.4; -100 / 7], 1e-11);
  near(c.normal, 2.7);
  near(between(2), 0);
  [v, c] = stiction.contact(eye(2), [2; -2], 'normal', [0; 1], 'tangent', [1 -1; 0 0], 'mu', 0.5);
  near(v, [1; 0]);
  near(c.friction, [0; 1]);
  [v, c] = stiction.trapezoid(0.5, 2, -20, -20, 1, 'normal', 1, 'normal_offset', 0.25);
  near(v, -0.25);
  near(c.normal, 7.5);
end

function failures_have_identifiers()
  raises('stiction:LcpRay', @() stiction.lcp(-1, -1));
  raises('stiction:Nonfinite', @() stiction.lcp(NaN, -1));
  raises('stiction:Singular', @() stiction.contact(-1, 1));
  raises('stiction:Value', @() stiction.impact(2, -3, 'normal', 1, 'restitution', 2));
  raises('stiction:Null', @() stiction.Model('nv', 1));
  raises('stiction:Value', @() stiction.Stepper(ball(), 'method', 99));
end

function wrong_arguments_are_named()
  raises('stiction:Argument', @() stiction.lcp([1 2], 1));
  raises('stiction:Argument', @() stiction.lcp(1, [1; 2]));
  raises('stiction:Argument', @() stiction.lcp(int32(1), 1));
  raises('stiction:Argument', @() stiction.lcp(1i, 1));
  raises('stiction:Argument', @() stiction.lcp(sparse(1), 1));
  raises('stiction:Argument', @() stiction.lcp(1, 1, 'tol', 1));
  raises('stiction:Argument', @() stiction.contact(eye(2), [1; 1], 'normal', [1; 0; 0]));
  raises('stiction:Argument', @() stiction.contact(eye(2), [1; 1], 'normal', eye(2), 'tangent', ones(2, 3), 'mu', [1 1]));
  raises('stiction:Argument', @() stiction.Stepper(ball(), 'method', 'eulr'));
  raises('stiction:Argument', @() stiction.Stepper(ball(), 'no_option', 1));
  raises('stiction:Argument', @() stiction_mex('no_command'));
  raises('stiction:Argument', @() stiction_mex('lcp', 1));
  raises('stiction:Argument', @() stiction_mex());
end

function a_ball_lands_when_it_must()
  s = dropped(ball(), 'method', 'trapezoid', 'max_pivots', 50);
  assert(strcmp(s.advance(0.7, 0.01), 'event'));
  e = s.events();
  assert(isequal(size(e), [1 1]) && strcmp(e.kind, 'impact') && e.contact == 1);
  near(e.t, sqrt(0.2));
  near(e.speed_after, -0.5 * e.speed_before);
  [t, q, v] = s.state();
  flight = 0.7 - sqrt(0.2);
  near(q, sqrt(5) * flight - 5 * flight^2);
  assert(t == 0.7 && s.stats().impacts == 1);
  near(s.model.energy(t, q, v), v^2);
  assert(s.model.check(0, 1, 1) < 1e-6);
  [worst, text] = check(ball('gap', @(t, q) deal(q, 2)), 0, 1, 1);
  assert(worst > 0.1 && ~isempty(text));
end

function run_gives_the_bits_of_advance()
  a = dropped(ball());
  b = dropped(ball());
  r = a.run(1, 0.01);
  b.advance(1, 0.01);
  [~, q, v] = b.state();
  assert(isequal(r.q(:, end), q) && isequal(r.v(:, end), v) && isequal(r.events, b.events()));
  assert(isequal(size(r.t), [1 101]) && r.t(end) == 1);
end

function a_snapshot_continues_with_the_same_bits()
  a = dropped(ball());
  a.advance(0.4, 0.01);
  bytes = a.save();
  b = dropped(ball());
  b.restore(bytes);
  a.advance(1, 0.01);
  b.advance(1, 0.01);
  [~, qa] = a.state();
  [~, qb] = b.state();
  assert(isa(bytes, 'uint8') && isequal(qa, qb));
  raises('stiction:Value', @() b.restore(bytes(1:end - 1)));
end

function f = wrong_force(t)
  if t > 0.1, error('landslide:Now', 'at %g s', t); end
  f = -20;
end

function an_error_in_a_function_comes_out_as_it_was()
  s = dropped(ball('force', @(t, q, v) wrong_force(t)));
  try
    s.advance(1, 0.01);
    error('tests:Raises', 'nothing was raised');
  catch e
    assert(strcmp(e.identifier, 'landslide:Now') && strncmp(e.message, 'at 0.1', 6));
    assert(any(strcmp({e.stack.name}, 'wrong_force')) || any(strcmp({e.stack.name}, 'run_tests>wrong_force')));
  end
  t = s.state();
  assert(t > 0.08 && t < 0.11);                     % the last completed step
  raises('stiction:Value', @() s.step(-1));         % the landslide is over
end

function f = cautious(q)
  if q < 0.9, error('stiction:Refuse', 'too low'); end
  f = -20;
end

function a_refused_point_rejects_the_step()
  s = dropped(ball('force', @(t, q, v) cautious(q)));
  for k = 1:3, status = s.step(0.1); end
  [~, q] = s.state();
  assert(strcmp(status, 'rejected') && q >= 0.9);
  raises('stiction:Refuse', @() s.run(1, 0.1));
end

function results_of_the_wrong_shape_are_named()
  raises('stiction:Shape', @() step(dropped(ball('force', @(t, q, v) [1; 2])), 0.1));
  raises('stiction:Shape', @() step(dropped(ball('mass', @(t, q) eye(2))), 0.1));
  raises('stiction:Shape', @() step(dropped(ball('force', @(t, q, v) 1i)), 0.1));
  raises('stiction:Nonfinite', @() step(dropped(ball('force', @(t, q, v) NaN)), 0.1));
  s = dropped(ball('gap', @(t, q) q));              % a second result is missing
  failed = false;
  try
    s.step(0.1);
  catch
    failed = true;
  end
  assert(failed);
end

function every_function_of_a_model_is_called()
  % A point driven along x by a spring and damper, held on the axis by a joint, above a floor.
  m = stiction.Model('nq', 2, 'nv', 2, 'n_joint', 1, 'n_contact', 1, 'n_dir', 2, 'mu', 0.5, 'mass', eye(2), ...
      'force', @(t, q, v) [-4 * q(1) - v(1); -10], 'force_jac', @(t, q, v) deal([-4 0; 0 0], [-1 0; 0 0]), ...
      'rate', @(t, q, v) v, 'joint', @(t, q) deal(q(2), [0; 1]), 'gap', @(t, q) deal(q(2) + 1, [0; 1]), ...
      'tangent', @(t, q) [1 -1; 0 0]);
  assert(m.check(0, [1; 0], [1; 0]) < 1e-6 && isequal(m.dims.n_dir, 2));
  s = stiction.Stepper(m);
  s.setState(0, [1; 0], [0; 0]);
  s.advance(1, 1e-2);
  [~, q] = s.state();
  w = sqrt(4 - 0.25);                               % closed form of the damped oscillator
  near(q, [exp(-0.5) * (cos(w) + 0.5 / w * sin(w)); 0], 1e-4);
end

function f = with_another(holder)
  s = holder('other');
  s.step(1e-3);
  f = -20;
end

function a_function_may_move_another()
  holder = containers.Map();
  meddling = ball('force', @(t, q, v) with_another(holder));
  holder('other') = dropped(ball());
  outer = dropped(meddling);
  outer.step(0.01);
  assert(state(holder('other')) > 0);
  holder('other') = outer;                          % but not itself
  raises('stiction:Busy', @() outer.step(0.01));
  holder.remove('other');                           % a ring of references would never end
end

function books_contacts_and_impulses_are_read()
  s = dropped(ball());
  s.advance(0.6, 0.01);
  [~, ~, v] = s.state();
  near(s.ledger().impact, 15, 1e-9);                % at sqrt(20) m/s a quarter of 20 J is kept
  near(s.ledger().kinetic, v^2, 1e-9);
  s = dropped(ball('restitution', 0));
  s.advance(1, 0.01);
  [~, normal] = s.impulses();
  near(normal, 0.2, 1e-9);                          % the weight of one step
  assert(~strcmp(s.contact(1).mode, 'open') && s.ledger('step').kinetic == 0);
  near(s.stateAt(0.995), 0, 1e-9);
  near(s.forces().normal, 20, 1e-9);
end

function a_brake_holds_up_to_its_bound()
  for push = [2.9 5]
    m = stiction.Model('nv', 1, 'n_brake', 1, 'mass', 1, 'force', @(t, q, v) push, 'brake', @(t, q) deal(3, 1));
    s = stiction.Stepper(m);
    s.advance(1, 0.01);
    [~, q] = s.state();
    near(q, max(0, 0.5 * (push - 3)), 1e-9);
    near(s.brakeImpulses(), -0.01 * min(push, 3));
  end
end

function answer(s, i, r)
  for name = r.what
    switch name{1}
      case 'mass', s.put(i, 'mass', 2);
      case 'force', s.put(i, 'force', -20);
      case 'gap', s.put(i, 'gap', r.q);
      case 'normal', s.put(i, 'normal', 1);
    end
  end
end

function a_passive_model_moves_with_the_bits_of_functions()
  a = dropped(stiction.passive('nv', 1, 'n_contact', 1, 'restitution', 0.5, 'gives', {'force'}));
  b = dropped(ball());
  for k = 1:60
    while strcmp(a.passiveStep(0.01), 'wanted')
      r = a.requests();
      for i = 1:numel(r), answer(a, i, r(i)); end
    end
    b.step(0.01);
  end
  [~, qa, va] = a.state();
  [~, qb, vb] = b.state();
  assert(isequal(qa, qb) && isequal(va, vb));
  assert(strcmp(a.passiveStep(0.01), 'wanted'));
  a.cancel();
  assert(isempty(a.requests()));
  raises('stiction:Value', @() a.step(0.01));
  raises('stiction:Argument', @() stiction.passive('nv', 1, 'gives', 'forc'));
end

function bodies_follow_functions_of_time()
  % From rest under F = 6 t on 2 kg: v = 1.5 t^2; a driven hinge is where it is told to be.
  b = stiction.Builder();
  block = b.addPlanar(2, 1, [0 0]);
  b.addForce(block, @(t) [6 * t, 0, 0]);
  b.addTorque(block, @(t) [0, 0, 4]);
  rod = b.addPlanar(1, 1, [5 0]);
  hinge = b.addJoint('revolute', b.GROUND, rod, [5 0 0], [0 0 1]);
  b.addDrive(hinge, 'angle', @(t) sin(t));
  wheel = b.addPlanar(1, 2, [9 0]);
  axle = b.addJoint('revolute', b.GROUND, wheel, [9 0 0], [0 0 1]);
  b.addMotor(axle, 'angle', @(t) 3);
  m = b.build();
  clear b                                           % the model keeps its functions
  s = stiction.Stepper(m);
  s.advance(1, 0.02);
  [t, q, v] = s.state();
  near(v(1), 1.5, 1e-9);                           % the rule is exact for a force linear in t
  near(v(3), 4, 1e-9);
  near(m.jointCoordinate(hinge, 'angle', q), sin(1), 1e-9);
  near(m.jointCoordinate(axle, 'angle', q), 0.5 * 1.5, 1e-9);
  [~, potential] = m.energy(t, q, v);
  near(potential, 0);
end

function an_error_in_a_function_of_time_comes_out()
  b = stiction.Builder();
  b.addForce(b.addPoint2(1, [0 0]), @breaks_later);
  s = stiction.Stepper(b.build());
  raises('tests:Broken', @() s.advance(1, 0.01));
  raises('stiction:Argument', @() b.addForce(1, 5));
  raises('stiction:Value', @() b.addForce(7, @(t) [0 0 0]));   % no such body; the place of the function is free again
  b.addForce(1, @(t) [1 0 0]);
end

function f = breaks_later(t)
  if t > 0.5, error('tests:Broken', 'broken at %g', t); end
  f = [0 0 0];
end

function solids_rest_on_uneven_ground()
  b = stiction.Builder([0 0 -10]);
  b.setSurface(1, 1, 0.5);
  box = b.addSpatial(1, 0.1 * eye(3), [0 0 0.2]);
  hull = b.addSpatial(1, 0.1 * eye(3), [6 0 0.1]);
  b.addHeightField(b.GROUND, [2 2], zeros(2));
  b.addMesh(b.GROUND, [5 7 7 5; -1 -1 1 1; 0 0 0 0], [1 1; 2 3; 3 4]);
  b.addBox(box, [0.3 0.3 0.2]);
  b.addHull(hull, [0.3 -0.3 -0.3 0; 0 0.3 -0.3 0; -0.1 -0.1 -0.1 0.3]);
  m = b.build();
  s = stiction.Stepper(m);
  s.advance(0.2, 0.01);
  [~, q] = s.state();
  first = m.pose(box, q);
  second = m.pose(hull, q);
  near([first(3), second(3)], [0.2 0.1], 1e-9);
  [bodies, shapes] = m.contactPair(s.contactKey(1));
  assert(isequal(sort(bodies), [b.GROUND box]) && all(shapes > 0));
  [~, normal] = s.impulses();
  near(sum(normal), 2 * 10 * 0.01, 1e-9);           % what the contacts gave in the last step carries two kilograms
end

function contacts_come_and_go_by_key()
  % 3 m/s and mu g = 5 m/s^2: 0.9 m far, by each of the three ways to say it, with the same bits.
  friction = {struct('tangent', [1 -1; 0 0]), struct('facets', 2, 'first', [1; 0], 'second', [1; 0]), ...
              struct('index', [1 2], 'tangent', [1 -1; 0 0])};
  far = zeros(1, 3);
  for i = 1:3
    m = stiction.Model('nv', 2, 'n_dir', 2, 'max_contacts', 1, 'mass', eye(2), 'force', @(t, q, v) [0; -10], ...
        'contacts', @(t, q, margin) floor_contact(q, margin, friction{i}));
    s = stiction.Stepper(m, 'contact_margin', 0.02);
    s.setState(0, [0; 0], [3; 0]);
    s.advance(0.7, 0.02);
    [~, q] = s.state();
    far(i) = q(1);
    key = int64(2)^61 + 77;
    k = s.findContact(key);
    assert(s.contactKey(k) == key && isempty(s.findContact(key - 1)) && k <= s.contactCount() && isempty(s.findContact(1)));
    assert(strcmp(s.contact(k).mode, 'stick'));
    near(s.forces().normal(k), 10, 1e-9);
    s.setState(1, [0; 5], [0; 0]);                  % in the air
    s.step(0.01);
    assert(isempty(s.findContact(key)));
  end
  near(far, 0.9 * [1 1 1], 1e-9);
  assert(far(1) == far(2) && far(1) == far(3));
  wrong = @(f) step_once(stiction.Model('nv', 1, 'max_contacts', 1, 'mass', 1, 'contacts', f));
  raises('stiction:Nonfinite', @() wrong(@(t, q, margin) struct('key', 1, 'gap', NaN, 'normal', 1)));
  raises('stiction:Contact', @() wrong(@(t, q, margin) struct('key', 1, 'gap', 0, 'normal', [1 2])));
  raises('stiction:Contact', @() wrong(@(t, q, margin) struct('key', 1, 'gap', 0, 'norma', 1)));
  raises('tests:Broken', @() wrong(@(t, q, margin) breaks_later(1)));
end

function of_a_group_one_gap_is_enough()
  % Free where x >= 0 or y >= 0: over the edge after 1/2 s.
  corner = @(t, q, margin) struct('key', {1, 2}, 'gap', {q(2), q(1)}, 'normal', {[0; 1], [1; 0]}, 'group', 9);
  s = stiction.Stepper(stiction.Model('nv', 2, 'max_contacts', 2, 'mass', eye(2), 'force', @(t, q, v) [0; -10], ...
      'contacts', corner));
  s.setState(0, [-1; 0], [2; 0]);
  s.advance(1, 0.07);
  [~, q] = s.state();
  near(q, [1; -1.25], 1e-12);
end

function step_once(model)
  s = stiction.Stepper(model);
  s.step(0.01);
end

function list = floor_contact(q, margin, friction)
  list = struct([]);
  if q(2) <= margin
    list = friction;
    list.key = int64(2)^61 + 77;                    % more than a double holds
    list.gap = q(2);
    list.normal = [0; 1];
    list.mu = 0.5;
  end
end

function a_declared_spring_swings()
  % 1 kg on 4 pi^2 N/m comes back after one second.
  m = stiction.Model('nv', 1, 'n_element', 1, 'mass', 1, 'element', @(t, q) deal(q, 1, 4 * pi^2, 0), ...
      'displace', @(t, q, d) q + d, 'accel', @(t, q, v) deal([], [], []));
  s = stiction.Stepper(m);
  s.setState(0, 1, 0);
  s.advance(1, 0.01);
  [~, q] = s.state();
  near(q, 1, 1e-4);
  [~, potential] = m.energy(0, 0.5, 0);
  near(potential, 0.5 * pi^2);
end

function a_model_answers_about_a_state()
  % M = 1 + x^2: the force is -x v^2.
  bead = stiction.Model('nv', 1, 'mass', @(t, q) 1 + q^2);
  near(bead.coriolis(0, 0.5, 2), -2, 1e-6);
  assert(isinf(bead.coneMargin(0, 0.5)));
  falling = ball();
  near(falling.coneMargin(0, 0), 1);                % one contact without friction: one edge of length one
  c = falling.checkState(0, -0.1, 0);
  near(c.depth, 0.1);
  [q, v, left] = falling.nearestState(0, -0.1, 0);
  near([q, v, left.depth], [0 0 0], 1e-9);
  b = stiction.Builder();
  b.addPoint2(3, [1 2]);
  rod = b.addPlanar(2, 1, [0 0]);
  hinge = b.addJoint('revolute', b.GROUND, rod, [0 0 0], [0 0 1]);
  m = b.build();
  [linear, angular, mass] = m.momentum([1; 2; 0; 0; 0], [1; 0; 0; 0; 4]);
  near(linear, [3; 0; 0]);
  near(angular, [0; 0; -6 + 4]);
  near(mass, 5);
  [inQ, inV] = m.bodyRange(rod);
  assert(isequal(inQ, 3:5) && isequal(inV, 3:5) && isequal(m.jointRange(hinge), 1:2));
  [place, velocity] = m.point(rod, [1 0 0], [0; 0; 0; 0; 0], [0; 0; 0; 0; 4]);
  near(place, [1; 0; 0]);
  near(velocity, [0; 4; 0]);
end

function bodies_are_built()
  b = stiction.Builder([0 -9.81 0]);
  rod = b.addPlanar(1, 1 / 12, [0.5 0], pi / 2);
  hinge = b.addJoint('revolute', b.GROUND, rod, [0 0 0], [0 0 1]);
  m = b.build();
  s = stiction.Stepper(m);
  s.advance(0.5, 1e-3);
  [t, q, v] = s.state();
  [kinetic, potential] = m.energy(t, q, v);
  near(kinetic + potential, 0, 1e-4);               % of order two in h = 1e-3
  pose = m.pose(rod, q);
  near(norm(pose(1:2)), 0.5, 1e-9);
  near(m.initial(), [0.5; 0; pi / 2]);
  b.setVelocity(rod, [0 -0.5 0], [0 0 -1]);
  b.addLimit(hinge, 'angle', -3, Inf, 0.1);
  b.addJointSpring(hinge, 'angle', 1, 0.1);
  b.addJointFriction(hinge, 'angle', 0.2);
  bob = b.addPoint2(0.5, [1 -0.5]);
  b.addRod(rod, [0 -0.5 0], bob, []);
  b.addSpring(rod, [], bob, [], 3, 0.1);
  b.addBushing(rod, [0 -0.5 0], bob, [], 0.1, 0.1);
  b.addDistanceLimit(rod, [], bob, [], -Inf, 2);
  rubber = b.addMaterial();
  b.setSurface(1, rubber, 0.8, 0.2);
  floor_ = b.addHalfSpace(b.GROUND, [0 1 0], [0 -3 0], rubber);
  for shape = [b.addBall(bob, 0.05), b.addPolygon(rod, [-0.05 0.05 0; -0.5 -0.5 0.5])]
    b.setGroups(shape, 2, 1);
  end
  b.setGroups(floor_, 1, 2);
  b.setFacets(2);
  s = stiction.Stepper(b.build());
  s.advance(0.2, 1e-3);
  assert(s.stats().worst_joint_drift < 1e-8);
  space = stiction.Builder();
  space.setGravity([0 0 -9.81]);
  box = space.addSpatial(1, diag([1 2 2.5]), [0 0 1]);
  space.addBox(box, [0.2 0.2 0.2]);
  space.setGroups(space.addCapsule(box, 0.3, 0.1), 2, 4);
  space.addPoint3(1, [5 0 1]);
  space.addHalfSpace(space.GROUND, [0 0 1]);
  s = stiction.Stepper(space.build());
  s.advance(0.1, 1e-2);
  raises('stiction:Value', @() b.addPoint2(-1, [0 0]));
  raises('stiction:Argument', @() b.addPoint2(1, [0 0 0]));
end

function pendulum_hits_the_wall_when_the_reference_says(folder)
  if isempty(folder), r = pendulum(); else, r = pendulum(fullfile(folder, 'pendulum_octave.csv')); end
  % The reference of c_examples/05: two angles with 34 digits.
  near([r.events.t], [0.545508051442001 0.707932699995982 1.284726645954996 2.097739454881154 2.131640284303554], 5e-5);
end

function block_sticks_and_slips_when_the_closed_form_says()
  r = stick_slip();
  % The closed form of c_examples/06.
  near([r.events.t], [0.33860818467198062 2.94634679122386296 3.53283460888699945 6.08793944481365620 ...
       6.67442726247679269 9.22953209840344943 9.81601991606658593], 3e-4);
  held = r.q(1, r.t > 0.35 & r.t < 2.93);
  assert(all(held == held(1)));                     % while it sticks it does not creep
end

function deleted_objects_are_refused()
  s = dropped(ball());
  id = s.id;
  delete(s);
  raises('stiction:Handle', @() stiction_mex('stepper_get_state', id));
  raises('stiction:Handle', @() stiction_mex('stepper_get_state', 1e300));
  raises('stiction:Handle', @() stiction_mex('stepper_get_state', -5));
  m = ball();
  raises('stiction:Handle', @() stiction_mex('stepper_get_state', m.id));
end

function objects_give_up_their_handles()
  for k = 1:200
    m = ball();
    s = stiction.Stepper(m);
    clear m                                         % the stepper goes on
    s.step(1e-3);
    b = stiction.Builder();
    b.addPoint2(1, [0 0]);
    body = b.build();
  end
  clear m s b body
  % The gateway is locked as long as a single handle lives.
  assert(~mislocked('stiction_mex'));
end

function some_handles(n)
  f = struct('mass', @(t, q) 2, 'gap', @(t, q) deal(q, 1), 'trap', @stiction.internal.trapped);
  f.signals = {@(t) [0; 0; 0]};
  for k = 1:n
    m = stiction_mex('model_create', [1 1 0 1 0 0 0 0], f, [], 0.5);
    s = stiction_mex('stepper_create', m, f, struct());
    b = stiction_mex('builder_create');
    stiction_mex('builder_call', b, f, 'point2', {1, [0 0]});
    stiction_mex('builder_call', b, f, 'force', {0, []});
    body = stiction_mex('builder_build', b, f);
    stiction_mex('model_destroy', m);
    stiction_mex('model_destroy', body);
    stiction_mex('stepper_destroy', s);
    stiction_mex('builder_destroy', b);
  end
end

function ten_thousand_handles_leave_nothing_behind()
  if ~exist('/proc/self/statm', 'file'), return; end
  some_handles(2000);
  before = resident();
  some_handles(10000);
  grown = resident() - before;
  % One leaked handle of a kind has more than 100 bytes: 1 MB for ten thousand.
  fprintf('     %d KB more after 10,000 of each\n', grown);
  assert(grown < 900);
end

function kilobytes = resident()
  file = fopen('/proc/self/statm');
  numbers = fscanf(file, '%d');
  fclose(file);
  kilobytes = 4 * numbers(2);
end

function every_function_has_help()
  folder = fileparts(which('stiction.lcp'));
  files = dir(fullfile(folder, '*.m'));
  assert(numel(files) > 10);
  for i = 1:numel(files)
    text = fileread(fullfile(folder, files(i).name));
    assert(~isempty(regexp(text, '% STICTION(\.[A-Z]+)?  [A-Z]', 'once')), files(i).name);
  end
end
