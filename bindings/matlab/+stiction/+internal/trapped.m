function [verdict, varargout] = trapped(f, name, shapes, varargin)
% TRAPPED  Runs a function of a model for the gateway. Nothing gets out of it but a verdict: 1 done, 2 refused, 0 failed
% with an error that stiction.internal.waiting keeps. Results have the shapes that the library asks for.
  n = size(shapes, 1);
  varargout = cell(1, n);
  try
    [varargout{:}] = f(varargin{:});
    for i = 1:n
      varargout{i} = shaped(varargout{i}, shapes(i, :), name, i);
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

function x = shaped(x, shape, name, i)
  x = full(double(x));
  % A single column or row may lie either way.
  vector = numel(x) == prod(shape) && any(shape == numel(x));
  if ~isreal(x) || ~(isequal(size(x), shape) || vector)
    error('stiction:Shape', 'result %d of %s must be real and %d by %d, not %d by %d', i, name, shape, size(x, 1), size(x, 2));
  end
end
