function s = options(names, prefixes, varargin)
% OPTIONS  Name and value pairs, or a struct, as a struct of numbers. Words stand for enumerators: with the prefix
% 'METHOD_', 'euler' is METHOD_EULER of stiction.constants. An empty list of names allows every name.
  if numel(varargin) == 1 && isstruct(varargin{1})
    s = varargin{1};
  elseif mod(numel(varargin), 2) == 0
    s = struct();
    for i = 1:2:numel(varargin)
      s.(varargin{i}) = varargin{i + 1};
    end
  else
    error('stiction:Argument', 'options are pairs of a name and a value');
  end
  given = fieldnames(s);
  for i = 1:numel(given)
    name = given{i};
    if ~isempty(names) && ~any(strcmp(name, names))
      error('stiction:Argument', 'there is no option %s; there are %s', name, strjoin(names, ', '));
    end
    if ischar(s.(name)) && isfield(prefixes, name)
      s.(name) = stiction.internal.enumerator(prefixes.(name), s.(name));
    end
  end
end
