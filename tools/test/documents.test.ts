import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../child-process.ts';

const RECORDS = 'docs/decisions/';
const LINES_OF_A_RECORD = 40;
/** What must be true now; records and results say what was true on their day. */
const LIVING = /^[A-Z]+\.md$|^docs\/guides\//;
const FILE_NAME = /^[\w.][\w./-]*\.(?:tsx?|mjs|cjs|css|json|sql|md|html)$/;
/** Names of code: two words at least, as code writes them. */
const CODE_NAME = /^(?:[a-z]+[A-Z]\w*|[a-z]+(?:_[a-z]+)+)$/;

const OUTSIDE = /(?:^|\/)(?:node_modules|dist|data|\.git|\.cache|test-results)(?:\/|$)/;
const files = [
  ...globSync('**/*.*', { cwd: root, exclude: (path) => OUTSIDE.test(path) }),
  // A pattern leaves out what begins with a dot.
  ...readdirSync(root).filter((name) => FILE_NAME.test(name) && name.startsWith('.')),
];
const documents = files.filter((path) => path.endsWith('.md'));
const living = documents.filter((path) => LIVING.test(path));
const records = documents.filter((path) => path.startsWith(RECORDS));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('links', () => {
  test.each(documents)('of %s lead somewhere', (document) => {
    const targets = [...read(document).matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)].map(
      ([, to = '']) => to,
    );
    expect(targets.filter((to) => !existsSync(join(root, dirname(document), to)))).toEqual([]);
  });
});

describe('what documents name', () => {
  const named = new Set(files.map((path) => basename(path)));
  const source = files
    .filter((path) => /\.(?:tsx?|mjs|cjs|sql)$/.test(path))
    .map(read)
    .join('\n');
  const words = new Set(source.match(/\w+/g));

  test.each(living)('%s names files that are there', (document) => {
    const found = quoted(document).filter((text) => FILE_NAME.test(text));
    const isThere = (text: string) =>
      named.has(basename(text)) &&
      (files.some((path) => path === text || path.endsWith(`/${text}`)) ||
        existsSync(join(root, dirname(document), text)));
    expect(found.filter((text) => !isThere(text))).toEqual([]);
  });

  test.each(living)('%s names folders that are there', (document) => {
    const found = quoted(document)
      .filter((text) => /^(?:apps|packages|e2e|docs|tools|bench|faults|clients)(?:\/[\w-]+)+\/?$/.test(text))
      .filter((text) => !existsSync(join(root, text)));
    expect(found).toEqual([]);
  });

  test.each(living)('%s names code that is there', (document) => {
    expect(quoted(document).filter((text) => CODE_NAME.test(text) && !words.has(text))).toEqual([]);
  });
});

test('the README names every variable that the product reads', () => {
  const wanted = [...read('apps/server/src/config.ts').matchAll(/\bread\('([A-Z_]+)'\)/g)].map(
    ([, name = '']) => name,
  );
  const told = new Set(quoted('README.md'));
  expect(wanted.length).toBeGreaterThan(10);
  expect(wanted.filter((name) => !told.has(name))).toEqual([]);
});

describe('decision records', () => {
  test('have a number each', () => {
    const numbers = records.map((path) => basename(path).slice(0, 3));
    expect(numbers.filter((number, place) => numbers.indexOf(number) !== place)).toEqual([]);
  });

  test.each(records)('%s says its status', (record) => {
    expect(read(record)).toMatch(/^(?:\*\*)?Status(?:[:.]\*\*|:)? /m);
  });

  test.each(records)('%s fits on a page', (record) => {
    expect(read(record).trimEnd().split('\n').length).toBeLessThanOrEqual(LINES_OF_A_RECORD);
  });

  test('that were superseded say by which', () => {
    const silent = records.flatMap((record) =>
      supersededBy(record).filter((earlier) => !read(earlier).includes(`](${basename(record)})`)),
    );
    expect(silent).toEqual([]);
  });

  test('that supersede are found', () => {
    expect(records.flatMap(supersededBy).length).toBeGreaterThan(5);
  });
});

/** What stands between backticks, outside blocks of code. */
function quoted(document: string): string[] {
  const text = read(document).replaceAll(/^\s*```[\s\S]*?^\s*```/gm, '');
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, inner = '']) => inner);
}

/** The records of which this one says that it takes the place of a part. */
function supersededBy(record: string): string[] {
  return [
    ...read(record).matchAll(/\b(?:[Ss]upersedes|Narrows)\b[^.]*?\[[^\]]*\]\((\d{3}-[\w-]+\.md)\)/g),
  ].map(([, earlier = '']) => normalize(join(RECORDS, earlier)));
}
