function [o, n, mu, e] = sizes(names, varargin)
% SIZES  Options of a model: all of them, its sizes as [nq nv n_joint n_contact n_dir n_brake n_element
% max_contacts], mu and restitution for each contact, [] when they are not given. names are the options that are allowed
% besides.
  known = {'nq', 'nv', 'n_joint', 'n_contact', 'n_dir', 'n_brake', 'n_element', 'max_contacts'};
  o = stiction.internal.options([known, {'mu', 'restitution'}, names], struct(), varargin{:});
  n = zeros(1, 8);
  for i = 1:8
    if isfield(o, known{i}), n(i) = o.(known{i}); end
  end
  if ~isfield(o, 'nq'), n(1) = n(2); end
  [mu, e] = stiction.internal.fields(o, {'mu', 'restitution'});
  if isscalar(mu), mu = repmat(mu, n(4), 1); end
  if isscalar(e), e = repmat(e, n(4), 1); end
end
