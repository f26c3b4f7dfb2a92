function c = constants()
% STICTION.CONSTANTS  The enumerators of stiction.h without their STN_, as a struct.
%
%   c = stiction.constants();
%   c.METHOD_TRAPEZOID
%
% Options and laws may also be given as words: 'trapezoid', 'poisson'.
  persistent kept
  if isempty(kept), kept = stiction.internal.call('constants'); end
  c = kept;
end
