function varargout = call(varargin)
% CALL  Runs a command of the gateway. An error inside a model function comes out as it was raised.
  stiction.internal.waiting();
  try
    [varargout{1:nargout}] = stiction_mex(varargin{:});
  catch failure
    e = stiction.internal.waiting();
    if ~isempty(e), rethrow(e); end
    if exist('stiction_mex', 'file') ~= 3
      error('stiction:NotFound', ['the gateway stiction_mex was not found: run build in bindings/matlab, and put the ' ...
            'folder of its result on the path']);
    end
    rethrow(failure);
  end
end
