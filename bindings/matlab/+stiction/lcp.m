function [z, w, info] = lcp(M, q, varargin)
% STICTION.LCP  Solves the linear complementarity problem w = M z + q, 0 <= z, 0 <= w, z'w = 0.
%
%   [z, w, info] = stiction.lcp(M, q)
%   [z, w, info] = stiction.lcp(M, q, 'tolerance', 1e-10, 'max_pivots', 1000, 'engine', 'factored')
%
% info has pivots and residual, the unit-free residual of the answer. No answer is the error stiction:LcpRay,
% stiction:LcpPivots or stiction:Residual.
%
%   z = stiction.lcp([2 1; 1 2], [-5; 1])     % [2.5; 0]
%
% See also stiction.mlcp, stiction.lcpResidual.
  o = stiction.internal.options({'max_pivots', 'engine', 'tolerance'}, struct('engine', 'LCP_ENGINE_'), varargin{:});
  [z, w, info] = stiction.internal.call('lcp', M, q, o, -1);
end
