function [v, impulses, info] = contact(mass, p, varargin)
% STICTION.CONTACT  One velocity-impulse problem: mass v = p + impulses with joints, contacts and friction.
%
%   [v, impulses, info] = stiction.contact(mass, p, 'joint', J, 'normal', N, 'tangent', D, 'mu', mu)
%
% Directions are columns as long as v. D has the same even number of columns for each contact, in angular order,
% the second half opposite to the first. impulses has joint, normal and friction, N s.
%
%   v = stiction.contact(eye(2), [2; -2], 'normal', [0; 1], 'tangent', [1 -1; 0 0], 'mu', 0.5)    % [1; 0]
  names = {'joint', 'normal', 'tangent', 'mu'};
  o = stiction.internal.options(names, struct(), varargin{:});
  [joint, normal, tangent, mu] = stiction.internal.fields(o, names);
  [v, impulses, info] = stiction.internal.call('contact', mass, p, joint, normal, tangent, mu);
end
