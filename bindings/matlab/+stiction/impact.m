function [vPlus, impulses, info, vCompression] = impact(mass, v, varargin)
% STICTION.IMPACT  The velocity after an impact with velocity v before.
%
%   [vPlus, impulses, info, vCompression] = stiction.impact(mass, v, 'normal', N, 'restitution', e, ...
%       'law', 'poisson', 'joint', J, 'tangent', D, 'mu', mu)
%
% Laws are 'plastic', 'newton', 'poisson' (the default) and 'reflection'; arrays as in stiction.contact.
%
%   stiction.impact(2, -3, 'normal', 1, 'restitution', 0.5)    % 1.5
  names = {'joint', 'normal', 'tangent', 'mu', 'law', 'restitution'};
  o = stiction.internal.options(names, struct('law', 'IMPACT_'), varargin{:});
  [joint, normal, tangent, mu, law, e] = stiction.internal.fields(o, names);
  if isempty(law), law = stiction.internal.enumerator('IMPACT_', 'poisson'); end
  if isempty(e), e = zeros(size(normal, 2), 1); end
  [vPlus, impulses, info, vCompression] = stiction.internal.call('impact', mass, v, joint, normal, tangent, mu, law, e);
end
