function model = passive(varargin)
% STICTION.PASSIVE  A model that is never called: its stepper says what it wants, and is given arrays.
%
%   model = stiction.passive('nv', 1, 'n_contact', 1, 'restitution', 0.5, 'gives', {'force'});
%   s = stiction.Stepper(model);
%   s.setState(0, 1, 0);
%   while strcmp(s.passiveStep(0.01), 'wanted')
%     r = s.requests();                        % struct array: what, t, q, v
%     for i = 1:numel(r)
%       for name = r(i).what
%         switch name{1}
%           case 'mass',   s.put(i, 'mass', 2);
%           case 'force',  s.put(i, 'force', -20);
%           case 'gap',    s.put(i, 'gap', r(i).q);
%           case 'normal', s.put(i, 'normal', 1);
%         end
%       end
%     end
%   end
%
% For programs that own their evaluation loop. Sizes, mu and restitution as in stiction.Model. gives names what you give
% besides mass, joints (phi, jt), gaps (gap, normal) and directions (tangent), which the sizes demand: 'force', 'dfdq'
% with 'dfdv', 'rate' (the matrix of dq/dt = B v), 'moved'. moving: true when joints or gaps depend on t at fixed q.
% All that steps do is possible this way, events included, with the same bits as by function handles.
%
% See also stiction.Stepper, stiction.Model.
  [o, n, mu, e] = stiction.internal.sizes({'gives', 'moving', 'max_points'}, varargin{:});
  [gives, moving, points] = stiction.internal.fields(o, {'gives', 'moving', 'max_points'});
  if isempty(gives), gives = {}; end
  if ischar(gives), gives = {gives}; end
  if isempty(moving), moving = false; end
  if isempty(points), points = 0; end
  model = stiction.Model('handle', stiction.internal.call('passive_create', n, gives, double(moving), points, mu, e));
end
