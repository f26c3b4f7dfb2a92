function value = enumerator(prefix, word)
% ENUMERATOR  The number behind a word: ('METHOD_', 'euler') is METHOD_EULER. Numbers stay what they are.
  value = word;
  if ~ischar(word), return; end
  all = stiction.constants();
  name = [prefix upper(word)];
  if strcmpi(word, 'by_method'), name = 'BY_METHOD'; end
  if ~isfield(all, name)
    known = fieldnames(all);
    known = known(strncmp(known, prefix, numel(prefix)));
    known = cellfun(@(k) lower(k(numel(prefix) + 1:end)), known, 'UniformOutput', false);
    error('stiction:Argument', '%s is none of %s', word, strjoin(known', ', '));
  end
  value = all.(name);
end
