function run = stick_slip(csv, png)
% STICK_SLIP  A block that sticks and slips. The same as c_examples/06_stick_slip_block.c.
%
%   stick_slip(), stick_slip(csv), stick_slip(csv, png)
%
% A block of 1 kg on a plane, mu = 0.8, is pushed to and fro by 8 cos t newtons. Friction can hold 7.848 N, so it
% moves only near the peaks.
  model = stiction.Model('nv', 2, 'n_contact', 1, 'n_dir', 2, 'mu', 0.8, 'mass', eye(2), ...
                         'force', @(t, q, v) [8 * cos(t); -9.81], 'gap', @(t, q) deal(q(2), [0; 1]), ...
                         'tangent', [1 -1; 0 0]);
  s = stiction.Stepper(model);
  s.setState(0, [3; 0], [0; 0]);
  run = s.run(10, 2^-6);
  for e = run.events'
    fprintf('%9.6f s  %s\n', e.t, e.kind);
  end
  if nargin > 0
    file = fopen(csv, 'w');
    fprintf(file, '%.17g,%.17g,%.17g\n', [run.t(2:end); run.q(1, 2:end); run.v(1, 2:end)]);
    fclose(file);
  end
  if nargin > 1
    figure('visible', 'off');
    times = [run.events.t];
    plot(run.t, run.q(1, :), times, interp1(run.t, run.q(1, :), times), 'o');
    xlabel('t, s');
    ylabel('x, m');
    legend('block', 'stick or slip');
    print(png, '-dpng');
  end
end
