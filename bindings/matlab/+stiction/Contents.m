% STICTION  Motion of bodies that touch: hard contact, joints, Coulomb friction, impacts, by linear complementarity.
%
% Problems on arrays
%   stiction.lcp          - linear complementarity problem
%   stiction.mlcp         - with free unknowns and equations
%   stiction.lcpResidual  - judges a candidate
%   stiction.contact      - velocities and impulses with joints, contacts and friction
%   stiction.impact       - velocity jumps
%   stiction.trapezoid    - one step, for programs that evaluate their own models
%
% Motion
%   stiction.Model        - a system of function handles
%   stiction.passive      - a model that is given arrays and never called
%   stiction.Builder      - built-in bodies, joints, springs and shapes
%   stiction.Stepper      - moves a model: step, advance, run, events, save, restore
%
% Besides
%   stiction.constants    - enumerators as numbers
%   stiction.version      - version of the library
%
% Errors have identifiers such as stiction:LcpRay and stiction:Dimension, after the statuses of stiction.h.
