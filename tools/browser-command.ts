/** The command of the journeys: all of them, or those of some files, which may be of the whole set alone. */
export function browserCommand(files: readonly string[]): string[] {
  return [
    'node_modules/@playwright/test/cli.js',
    'test',
    '--config=e2e',
    '--reporter=list,json',
    ...(files.length > 0 ? ['--pass-with-no-tests', ...files] : []),
  ];
}
