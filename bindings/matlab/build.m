function build(library, header, output)
% BUILD  Compiles the MEX gateway, in MATLAB and in Octave.
%
%   build()                         library in ../../build/lib, header in ../../include, gateway beside this file
%   build(library, header, output)  other folders
%
% The library must have been built before (sh scripts/demo.sh, or an installation with CMake). Then
% addpath this folder; help stiction lists what there is.
  here = fileparts(mfilename('fullpath'));
  root = fileparts(fileparts(here));
  if nargin < 1, library = fullfile(root, 'build', 'lib'); end
  if nargin < 2, header = fullfile(root, 'include'); end
  if nargin < 3, output = here; end
  library = absolute(library);
  header = absolute(header);
  output = absolute(output);
  if isempty(dir(fullfile(library, '*stiction*')))
    error('stiction:NotFound', ['the Stiction library was not found in %s: build it with scripts/demo.sh, or name its ' ...
          'folder: build(folder)'], library);
  end
  names = {'stiction_mex.c', 'arrays.c', 'callbacks.c', 'motion.c', 'report.c', 'passive.c', 'builder.c', ...
           'questions.c'};
  sources = cellfun(@(name) fullfile(here, 'src', name), names, 'UniformOutput', false);
  if exist('OCTAVE_VERSION', 'builtin')
    target = fullfile(output, 'stiction_mex.mex');
    flags = [{'--mex', '-Wall', '-Wextra', '-o', target, ['-I' header]}, sources, {['-L' library], '-lstiction'}];
    if ~ispc, flags{end + 1} = ['-Wl,-rpath,' library]; end
    % The object files lie in the present folder until they are linked.
    before = cd(output);
    back = onCleanup(@() cd(before));
    [text, status] = mkoctfile(flags{:});
    if status ~= 0, error('stiction:Build', 'the gateway was not built: %s', text); end
  else
    flags = {'-outdir', output, '-output', 'stiction_mex', ['-I' header], ['-L' library], '-lstiction'};
    if isunix, flags{end + 1} = ['LDFLAGS=$LDFLAGS -Wl,-rpath,' library]; end
    mex(flags{:}, sources{:});
  end
end

function path = absolute(folder)
  [found, info] = fileattrib(folder);
  if ~found, error('stiction:NotFound', 'there is no folder %s', folder); end
  path = info.Name;
end
