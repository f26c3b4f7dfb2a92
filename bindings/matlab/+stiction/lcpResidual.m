function r = lcpResidual(M, q, z)
% STICTION.LCPRESIDUAL  How far z is from solving the problem, without units: at most 1e-9 is a solution.
%
%   stiction.lcpResidual(2, -4, 2)    % 0
  r = stiction.internal.call('lcp_residual', M, q, z);
end
