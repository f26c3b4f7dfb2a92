function e = waiting(thrown)
% WAITING  Keeps the error of a model function until the call that led there has come back; without an argument gives
% it and forgets it.
  persistent kept
  e = kept;
  kept = [];
  if nargin > 0
    kept = struct('message', thrown.message, 'identifier', thrown.identifier, 'stack', thrown.stack);
  end
end
