import type { Plugin } from 'vite';

/** Files of which the first view runs most: by its coverage 70 to 82 % of their bytes. */
const RUNS_AT_ONCE = /^assets\/(react|frame|charts)-[\w-]+\.js$/;
const HINTED_FILES = 3;

/**
 * A browser compiles a function when it is called, on the thread that draws. Of these files it compiles all functions beside the
 * download (https://v8.dev/blog/explicit-compile-hints).
 */
export function hintCompilation(): Plugin {
  return {
    name: 'hint-compilation',
    apply: (_, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    generateBundle: {
      // The hint has to be the first line, before the list of files that Vite adds.
      order: 'post',
      handler(_, bundle) {
        const files = Object.values(bundle).filter(
          (file) => file.type === 'chunk' && RUNS_AT_ONCE.test(file.fileName),
        );
        if (files.length !== HINTED_FILES)
          this.error(`${files.length} files get a hint, not ${HINTED_FILES}.`);
        for (const file of files)
          if (file.type === 'chunk') file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
      },
    },
  };
}
