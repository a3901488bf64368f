import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../child-process.ts';

/**
 * For a branch whose commits wrote words as one file per language, when they meet the files that hold all languages:
 * takes what one commit changed in those over into these. `node tools/catalogues/join-languages.ts [commit]`, within a
 * rebase without a commit.
 */
const commit = process.argv[2] ?? 'REBASE_HEAD';
const FOLDERS = ['apps/web/src/messages', 'packages/api/src/platform/words/messages'];
type Texts = Record<string, Record<string, string>>;

const git = (...given: string[]) =>
  execFileSync('git', given, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const changed = git('diff', '--name-only', `${commit}^`, commit, '--', ...FOLDERS).split('\n');
const old = changed.flatMap((path) => {
  const [, folder, language, name] = /^(.*)\/(\w\w)\/([\w-]+)\.json$/.exec(path) ?? [];
  return folder && language && name ? [{ path, folder, language, name }] : [];
});
// So a new text has its languages in the order of the others.
const order = ['en', 'es', 'fr', 'de', 'pt'];
old.sort((a, b) => order.indexOf(a.language) - order.indexOf(b.language));
for (const { path, folder, language, name } of old) {
  const [before, after] = [readOld(`${commit}^`, path), readOld(commit, path)];
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const text = after[key];
    if (before[key] === text) continue;
    const at = findFile(folder, name, key);
    const texts: Texts = existsSync(at) ? JSON.parse(readFileSync(at, 'utf8')) : {};
    if (text === undefined) delete texts[key];
    else texts[key] = { ...texts[key], [language]: text };
    writeFileSync(at, `${JSON.stringify(texts, null, 2)}\n`);
    console.log(`${at.slice(root.length + 1)}: ${key} (${language})`);
  }
  git('rm', '-fq', '--cached', '--ignore-unmatch', path);
  rmSync(join(root, path), { force: true });
  const left = join(root, folder, language);
  if (existsSync(left) && readdirSync(left).length === 0) rmdirSync(left);
}
for (const file of new Set(old.map(({ folder }) => fileFolder(folder)))) git('add', file);

function readOld(at: string, path: string): Record<string, string> {
  try {
    return JSON.parse(git('show', `${at}:${path}`));
  } catch {
    return {}; // not there yet, or no longer
  }
}

function fileFolder(folder: string): string {
  return folder.replace(/words\/messages$/, 'words');
}

/** Where the text stands; the words of a new fact go to the feature that tells it. */
function findFile(folder: string, name: string, key: string): string {
  const files = globSync('*.json', { cwd: join(root, fileFolder(folder)) }).map((file) =>
    join(root, fileFolder(folder), file),
  );
  const there = files.find((file) => key in JSON.parse(readFileSync(file, 'utf8')));
  if (there) return there;
  const fact = key.startsWith('activity.fact.') ? `'${key.slice('activity.fact.'.length)}':` : null;
  const teller =
    fact &&
    globSync('packages/domain/src/*/*-facts.ts', { cwd: root }).find((file) =>
      readFileSync(join(root, file), 'utf8').includes(fact),
    );
  const feature = teller ? teller.split('/')[3]! : name === 'activity-facts' ? 'activity' : name;
  return join(
    root,
    fileFolder(folder),
    `${feature.replace(/^contact-.*|^custom-fields|^segments/, 'contacts')}.json`,
  );
}
