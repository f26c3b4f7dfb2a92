function [x, w, info] = mlcp(M, q, nFree, varargin)
% STICTION.MLCP  A mixed problem: the first nFree rows of M x + q are zero and their unknowns are free, the other rows
% are w >= 0 and complementary to the other unknowns, which are >= 0. Options as in stiction.lcp.
%
%   x = stiction.mlcp([1 1; 1 2], [-3; -4], 1)    % [2; 1]
  o = stiction.internal.options({'max_pivots', 'engine', 'tolerance'}, struct('engine', 'LCP_ENGINE_'), varargin{:});
  [x, w, info] = stiction.internal.call('lcp', M, q, o, nFree);
end
