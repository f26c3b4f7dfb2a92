function varargout = fields(s, names)
% FIELDS  The named fields of a struct, [] for those it does not have.
  for i = 1:numel(names)
    if isfield(s, names{i}), varargout{i} = s.(names{i}); else, varargout{i} = []; end
  end
end
