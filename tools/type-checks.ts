import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './child-process.ts';
import type { Step } from './test-steps.ts';

type Project = {
  compilerOptions?: object;
  include: string[];
  exclude?: string[];
};

/** From the root; as deep as the projects that are written there think they lie. */
const HOME = '.cache/types';

/**
 * Every folder with a tsconfig.json is type-checked. Those with the same options are checked as one: what they share is most of them,
 * and is then read and checked once.
 */
export function typeChecks(): Step[] {
  const alike = Map.groupBy(findProjects(), (folder) => JSON.stringify(read(folder).compilerOptions));
  return [...alike.values()].map((folders) => ({
    name: `Types of ${folders.join(', ')}`,
    // A third of its time went into the collection of rubbish.
    env: { GOGC: '400' },
    command: [
      'node_modules/typescript/bin/tsc',
      '-p',
      folders.length === 1 ? folders[0]! : writeJoint(folders), // one of one
    ],
  }));
}

function findProjects(): string[] {
  const nested = ['apps', 'packages'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
  );
  return [...nested, 'e2e', 'bench', 'faults', 'clients', 'tools'].filter((folder) =>
    existsSync(join(root, folder, 'tsconfig.json')),
  );
}

function read(folder: string): Project {
  return JSON.parse(readFileSync(join(root, folder, 'tsconfig.json'), 'utf8')) as Project;
}

function writeJoint(folders: string[]): string {
  const from = (folder: string, paths: readonly string[] = []) =>
    paths.map((path) => join('../..', folder, path));
  const joint = {
    extends: '../../tsconfig.base.json',
    compilerOptions: read(folders[0]!).compilerOptions, // the same in all of them
    include: folders.flatMap((folder) => from(folder, read(folder).include)),
    exclude: ['../../**/node_modules', ...folders.flatMap((folder) => from(folder, read(folder).exclude))],
  };
  const path = join(HOME, `${folders.map((folder) => folder.replace('/', '-')).join('+')}.json`);
  mkdirSync(join(root, HOME), { recursive: true });
  writeFileSync(join(root, path), JSON.stringify(joint, null, 2));
  return path;
}
