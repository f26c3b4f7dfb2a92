function run = pendulum(csv, png)
% PENDULUM  A double pendulum swings against a wall. The same as c_examples/05_double_pendulum.c.
%
%   pendulum()          prints the impacts
%   pendulum(csv)       writes t and q after every step
%   pendulum(csv, png)  draws the ways of both bobs
%
% Two bobs of 1 kg on rods of 1 m, by their plain coordinates; the wall x = 0 stops either, e = 0.1.
  model = stiction.Model('nv', 4, 'n_joint', 2, 'n_contact', 2, 'restitution', 0.1, 'mass', eye(4), ...
                         'force', @(t, q, v) [0; -9.8; 0; -9.8], 'joint', @rods, 'gap', @wall);
  a = acos(-1) / 3;
  b = acos(-1) / 5;
  s = stiction.Stepper(model);
  s.setState(0, [sin(a); -cos(a); sin(a) + sin(b); -cos(a) - cos(b)], zeros(4, 1));
  run = s.run(2.5, 2^-8);
  for e = run.events'
    fprintf('bob %d  %8.5f s   %7.4f -> %6.4f m/s\n', e.contact, e.t, e.speed_before, e.speed_after);
  end
  if nargin > 0
    file = fopen(csv, 'w');
    fprintf(file, '%.17g,%.17g,%.17g,%.17g,%.17g\n', [run.t(2:end); run.q(:, 2:end)]);
    fclose(file);
  end
  if nargin > 1
    figure('visible', 'off');
    plot(run.q(1, :), run.q(2, :), run.q(3, :), run.q(4, :), [0 0], [-2.1 -0.4], 'k');
    axis equal;
    legend('first bob', 'second bob', 'wall');
    print(png, '-dpng');
  end
end

function [phi, jt] = rods(~, q)
  dx = q(1) - q(3);
  dy = q(2) - q(4);
  phi = [q(1) * q(1) + q(2) * q(2) - 1; dx * dx + dy * dy - 1];
  jt = [2 * q(1), 2 * dx; 2 * q(2), 2 * dy; 0, -2 * dx; 0, -2 * dy];
end

function [gap, normal] = wall(~, q)
  gap = [q(1); q(3)];
  normal = [1 0; 0 0; 0 1; 0 0];
end
