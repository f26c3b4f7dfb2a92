function [verdict, list] = touching(f, nv, t, q, margin)
% TOUCHING  Asks a model for its contacts for the gateway; verdicts as in stiction.internal.trapped. In the list every
% contact has every field, of a size that fits, so that the gateway can read it without a check.
  list = struct('key', {});
  try
    given = f(t, q, margin);
    for i = 1:numel(given)
      c = complete(given(i), nv);
      if i == 1, list = c; else, list(i) = c; end
    end
    verdict = 1;
  catch e
    if strcmp(e.identifier, 'stiction:Refuse')
      verdict = 2;
    else
      stiction.internal.waiting(e);
      verdict = 0;
    end
  end
end

function c = complete(given, nv)
  c = struct('key', 0, 'gap', 0, 'normal', [], 'tangent', [], 'index', [], 'facets', 0, 'first', [], 'second', [], ...
             'mu', 0, 'restitution', 0, 'group', []);
  names = fieldnames(given);
  for k = 1:numel(names)
    if ~isfield(c, names{k}), error('stiction:Contact', 'a contact has no %s', names{k}); end
    value = given.(names{k});
    if ~(any(strcmp(names{k}, {'key', 'group'})) && isa(value, 'int64')), value = full(double(value)); end
    c.(names{k}) = value;
  end
  rows = nv;
  if ~isempty(c.index), rows = numel(c.index); end
  for name = {'key', 'gap', 'facets', 'mu', 'restitution'}
    if ~isscalar(c.(name{1})), error('stiction:Contact', '%s of a contact must be a number', name{1}); end
  end
  if numel(c.group) > 1, error('stiction:Contact', 'group of a contact must be a number or empty'); end
  if numel(c.normal) ~= rows, error('stiction:Contact', 'normal must have %d numbers, not %d', rows, numel(c.normal)); end
  if ~isempty(c.tangent) && size(c.tangent, 1) ~= rows
    error('stiction:Contact', 'tangent must have %d rows, not %d', rows, size(c.tangent, 1));
  end
  if ~isempty(c.first) && (numel(c.first) ~= nv || numel(c.second) ~= nv || ~isempty(c.index))
    error('stiction:Contact', 'first and second must have %d numbers each, and go without index', nv);
  end
  c.index = int32(c.index - 1);
end
