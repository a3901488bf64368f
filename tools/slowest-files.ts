import { isAbsolute, relative } from 'node:path';
import { root } from './child-process.ts';

export type FileTime = { file: string; milliseconds: number };

/** What a JSON report of Playwright says of its files; suites nest. */
export type BrowserSuite = {
  file: string;
  suites?: BrowserSuite[];
  specs: { tests: { results: { duration: number }[] }[] }[];
};

const SHOWN = 10;

/** One line for each of the slowest files of a run, the slowest first; a file that ran twice shows both. */
export function listSlowest(times: readonly FileTime[], shown = SHOWN): string[] {
  return times
    .toSorted((one, other) => other.milliseconds - one.milliseconds)
    .slice(0, shown)
    .map(({ file, milliseconds }) => `${(milliseconds / 1000).toFixed(1).padStart(6)} s  ${nameFile(file)}`);
}

/** Every journey of a file and of what is described in it, added up. */
export function timeSuites(suites: readonly BrowserSuite[]): FileTime[] {
  return suites.map((suite) => ({
    file: `e2e/${suite.file}`,
    milliseconds: addUp(suite),
  }));
}

function addUp({ specs, suites = [] }: BrowserSuite): number {
  const own = specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results));
  return [...own.map(({ duration }) => duration), ...suites.map(addUp)].reduce((sum, time) => sum + time, 0);
}

function nameFile(file: string): string {
  return isAbsolute(file) ? relative(root, file) : file;
}
