function [vPlus, impulses, info] = trapezoid(h, mass, forceStart, forceEnd, v, varargin)
% STICTION.TRAPEZOID  One step of the trapezoidal rule for a program that evaluates its own model: you bring the arrays,
% the library solves, no function is called back. Then q = q + h/2 (v + vPlus).
%
%   [vPlus, impulses, info] = stiction.trapezoid(h, mass, forceStart, forceEnd, v, ...
%       'joint', J, 'normal', N, 'tangent', D, 'mu', mu, ...          % directions at the middle of the step
%       'joint_row', Jr, 'normal_row', Nr, 'tangent_row', Dr, ...     % rows at its end; the directions when left out
%       'joint_offset', jo, 'normal_offset', no, 'dfdq', K, 'dfdv', B)
%
% Of second order with mass and directions at (t + h/2, q + h/2 v), forces at t and t + h, rows at q + h v.
% Only contacts that touch belong here; impacts are resolved by stiction.impact.
%
%   stiction.trapezoid(0.1, 2, -20, -20, 0)    % -1
  names = {'joint', 'normal', 'tangent', 'mu', 'dfdq', 'dfdv', 'joint_row', 'normal_row', 'tangent_row', ...
           'joint_offset', 'normal_offset'};
  o = stiction.internal.options(names, struct(), varargin{:});
  values = cell(1, numel(names));
  [values{:}] = stiction.internal.fields(o, names);
  [vPlus, impulses, info] = stiction.internal.call('trapezoid', mass, v, values{1:4}, h, forceStart, forceEnd, values{5:end});
end
