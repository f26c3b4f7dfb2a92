function [text, number] = version()
% STICTION.VERSION  Version of the library that is loaded, as text and as a number.
%
%   stiction.version()
  [text, number] = stiction.internal.call('version');
end
