import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../child-process.ts';

type Report = {
  modules: { source: string; dependencies: { resolved: string }[] }[];
  summary: { totalCruised: number; violations: { rule: { name: string }; from: string; to: string }[] };
};

const CRUISER = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
/** Far fewer means that the tool has stopped reading TypeScript, and would call anything clean. */
const FEWEST_MODULES = 200;

describe('the source', () => {
  let report: Report;
  beforeAll(async () => {
    report = await cruise(root, ['apps', 'packages', 'e2e']);
  });

  test('keeps the import rules', () => {
    expect(report.summary.violations.map((it) => `${it.rule.name}: ${it.from} → ${it.to}`)).toEqual([]);
  });

  test('is read whole', () => {
    expect(report.summary.totalCruised).toBeGreaterThan(FEWEST_MODULES);
  });

  test('is followed from one package into another', () => {
    const targets = report.modules
      .filter(({ source }) => source.startsWith('packages/api/src/'))
      .flatMap(({ dependencies }) => dependencies.map(({ resolved }) => resolved));
    expect(targets.some((path) => path.startsWith('packages/domain/src/'))).toBe(true);
    expect(targets.some((path) => path.startsWith('packages/database/src/'))).toBe(true);
  });
});

const FORBIDDEN: [file: string, imported: string, rule: string][] = [
  ['packages/domain/src/a/reads-disk.ts', 'node:fs', 'domain-imports-nothing'],
  ['packages/domain/src/a/uses-package.ts', 'zod', 'domain-imports-nothing'],
  ['packages/contracts/src/a/meets-api.ts', '../../../api/src/a/a-api.ts', 'contracts-meet-domain-only'],
  ['packages/contracts/src/a/uses-hono.ts', 'hono', 'contracts-packages'],
  ['packages/database/src/a/meets-api.ts', '../../../api/src/a/a-api.ts', 'database-meets-domain-only'],
  [
    'packages/delivery/src/meets-vendor.ts',
    '../../providers/src/one/client.ts',
    'delivery-knows-no-vendor-and-no-host',
  ],
  ['packages/api/src/a/opens-queries.ts', 'drizzle-orm/node-postgres', 'queries-are-opened-by-the-database'],
  ['packages/delivery/src/serves.ts', 'hono', 'delivery-serves-no-http'],
  ['packages/providers/src/two/meets-one.ts', '../one/client.ts', 'no-vendor-knows-another'],
  ['packages/providers/src/one/meets-api.ts', '../../../api/src/a/a-api.ts', 'providers-meet-domain-only'],
  ['packages/sandbox/src/meets-domain.ts', '../../domain/src/a/a.ts', 'sandbox-knows-nothing-of-the-product'],
  ['packages/api/src/b/meets-sibling.ts', '../a/a-api.ts', 'api-features-are-apart'],
  ['packages/api/src/contacts/meets-a.ts', '../a/a-api.ts', 'api-features-are-apart'],
  ['packages/api/src/segments/looks-up.ts', '../contacts/meets-fields.ts', 'api-features-are-apart'],
  ['packages/api/src/b/meets-vendor.ts', '../../../providers/src/one/client.ts', 'api-layers'],
  ['packages/api/src/b/reads-disk.ts', 'node:fs', 'api-knows-no-node'],
  ['packages/api/src/platform/meets-feature.ts', '../a/a-api.ts', 'api-platform-knows-no-feature'],
  ['apps/web/src/features/b/meets-sibling.ts', '../a/a-page.ts', 'web-features-are-apart'],
  ['apps/web/src/features/b/meets-app.ts', '../../app/shell.ts', 'web-features-know-no-shell'],
  ['apps/web/src/features/b/meets-server.ts', '../../../../server/src/main.ts', 'web-layers'],
  [
    'apps/web/src/features/b/loads-schema.ts',
    '../../../../../packages/contracts/src/a/a-contract.ts',
    'web-takes-types-of-contracts',
  ],
  ['apps/web/src/shared/meets-feature.ts', '../features/a/a-page.ts', 'web-shared-knows-no-feature'],
  ['apps/web/src/ui/meets-domain.ts', '../../../../packages/domain/src/a/a.ts', 'web-ui-stands-alone'],
  ['packages/api/src/b/meets-host.ts', '../../../../apps/server/src/main.ts', 'nobody-imports-an-app'],
  ['apps/server/src/meets-sandbox.ts', '../../../packages/sandbox/src/a.ts', 'server-and-web-are-apart'],
  ['e2e/meets-source.ts', '../packages/domain/src/a/a.ts', 'journeys-use-the-product-from-outside'],
  ['packages/domain/src/a/imports-air.ts', './nowhere.ts', 'no-unresolved'],
];
const ALLOWED: Record<string, string> = {
  'packages/domain/src/a/a.ts': 'export const value = 1;',
  'packages/contracts/src/a/a-contract.ts': "import { z } from 'zod'; export const value = z.string();",
  'packages/api/src/a/a-api.ts':
    "import { value } from '../../../contracts/src/a/a-contract.ts'; export { value };",
  'packages/providers/src/one/client.ts':
    "import { value } from '../../../domain/src/a/a.ts'; export { value };",
  'packages/sandbox/src/a.ts': "import { Hono } from 'hono'; export const value = new Hono();",
  'apps/server/src/main.ts':
    "import { value } from '../../../packages/api/src/a/a-api.ts'; export { value };",
  'apps/web/src/app/shell.ts': "import { value } from '../features/a/a-page.ts'; export { value };",
  'apps/web/src/features/a/a-page.ts':
    "import type { value as Value } from '../../../../../packages/contracts/src/a/a-contract.ts'; export const value: typeof Value | 1 = 1;",
  'packages/api/src/custom-fields/fields.ts': 'export const value = 1;',
  'packages/api/src/contacts/meets-fields.ts':
    "import { value } from '../custom-fields/fields.ts'; export { value };",
  'packages/domain/src/type-cycle/one.ts': "import type { Two } from './two.ts'; export type One = Two | 1;",
  'packages/domain/src/type-cycle/two.ts': "import type { One } from './one.ts'; export type Two = One | 2;",
  'packages/domain/src/cycle/one.ts': "import { two } from './two.ts'; export const value = two;",
  'packages/domain/src/cycle/two.ts': "import { value } from './one.ts'; export const two = () => value;",
};

describe('planted violations', () => {
  const place = join(root, '.cache', `import-canary-${process.pid}`);
  let found: string[];
  beforeAll(async () => {
    for (const [file, text] of Object.entries(ALLOWED)) plant(file, text);
    for (const [file, imported] of FORBIDDEN)
      plant(file, `import { value } from '${imported}'; export { value };`);
    const report = await cruise(place, ['apps', 'packages', 'e2e']);
    found = report.summary.violations.map((it) => `${it.rule.name}: ${it.from}`);
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  test.each(FORBIDDEN)('%s may not import %s', (file, _imported, rule) => {
    expect(found).toContain(`${rule}: ${file}`);
  });

  test.each(['cycle', 'type-cycle'])('a %s is found', (cycle) => {
    expect(found).toContain(`no-cycles: packages/domain/src/${cycle}/one.ts`);
  });

  test('nothing that is allowed is reported', () => {
    const wrong = found.filter((it) =>
      Object.keys(ALLOWED).some((file) => it.endsWith(file) && !it.startsWith('no-cycles')),
    );
    expect(wrong).toEqual([]);
  });

  function plant(file: string, text: string): void {
    const path = join(place, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
});

async function cruise(cwd: string, folders: string[]): Promise<Report> {
  const args = [
    CRUISER,
    '--config',
    join(root, '.dependency-cruiser.cjs'),
    '--output-type',
    'json',
    ...folders,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, maxBuffer: 200_000_000 });
  return JSON.parse(stdout);
}
