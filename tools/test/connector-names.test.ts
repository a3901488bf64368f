import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../child-process.ts';

/** One line for each connector. */
const KINDS = 'apps/server/src/connector-kinds.ts';
const LISTS = [
  KINDS,
  'packages/sandbox/src/stand-ins.ts',
  // What starts workflows at a service, for those that have orders or bookings.
  'packages/domain/src/integrations/connector-events.ts',
];
/** Examples of the API reference, and the type of the Automation page that the specification calls `zapier`. */
const EXAMPLES = [
  'packages/contracts/src/integrations/integrations-contract.ts',
  'packages/contracts/src/integrations/integration-events-contract.ts',
  'packages/domain/src/integrations/connector-kind.ts',
];
/** Robots that read links, by their own names. */
const NOT_MEANT = ['packages/domain/src/links/preview-robots.ts'];

const folders = [...readFileSync(join(root, KINDS), 'utf8').matchAll(/@app\/providers\/([a-z-]+)\//g)].map(
  ([, folder]) => folder!,
); // the group is not optional
const NAMES = new RegExp(folders.map((folder) => folder.replaceAll('-', '[-_ ]?')).join('|'), 'i');

test('no code beside the folder of a connector names it: another one is a folder and one line of each list', () => {
  expect(folders.length).toBeGreaterThanOrEqual(8);
  expect(findNames(root)).toEqual([]);
});

test('a connector has its client, its stand-in, its texts and its page of the documentation', () => {
  const missing = folders.flatMap((folder) =>
    [
      `packages/providers/src/${folder}/${folder}-connector.ts`,
      `packages/sandbox/src/${folder}/`,
      `apps/web/src/messages/connectors/${folder.replaceAll('-', '_')}.json`,
      `docs/guides/connectors/${folder}.md`,
    ].filter((file) => globSync(file.endsWith('/') ? `${file}*` : file, { cwd: root }).length === 0),
  );
  expect(missing).toEqual([]);
});

test('the name of a connector is found wherever it is planted', () => {
  const folder = mkdtempSync(join(tmpdir(), 'connector-names-'));
  const plant = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  try {
    plant('packages/api/src/integrations/sync/if-kind.ts', `if (kind.name === 'hubspot') skip();`);
    plant('packages/database/src/x.ts', 'SELECT google_analytics_id FROM integrations');
    plant('apps/web/src/features/integrations/card.tsx', 'export const ShopifyCard = null;');
    plant('packages/providers/src/slack/slack-connector.ts', 'slack');
    plant(
      'packages/api/src/integrations/fits.ts',
      '/** Such as `hubspot`. */\n// As Slack does.\nconst a = 1;',
    );
    expect(findNames(folder)).toEqual([
      'apps/web/src/features/integrations/card.tsx',
      'packages/api/src/integrations/sync/if-kind.ts',
      'packages/database/src/x.ts',
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function findNames(under: string): string[] {
  const own = folders.flatMap((folder) =>
    ['providers', 'sandbox'].map((side) => `packages/${side}/src/${folder}/`),
  );
  return globSync('{apps,packages}/*/src/**/*.{ts,tsx}', { cwd: under })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !own.some((start) => file.startsWith(start)) && !/\.test\.tsx?$/.test(file))
    .filter((file) => ![...LISTS, ...EXAMPLES, ...NOT_MEANT].includes(file))
    .filter((file) => NAMES.test(withoutComments(readFileSync(join(under, file), 'utf8'))))
    .toSorted();
}

const withoutComments = (text: string) =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*/g, '');
