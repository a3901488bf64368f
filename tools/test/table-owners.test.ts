import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tableOwners } from '@app/database/all-table-rules';
import { root } from '../child-process.ts';
import { ANY_TABLE, featureOf, findTableWrites, readTableConstants, type Source } from '../table-writes.ts';

/** Who else writes a table, each with the reason. */
const OTHERS: { file: RegExp; tables: readonly string[]; because: string }[] = [
  {
    file: /^apps\/server\/src\/sample\//,
    tables: [
      ...[
        'activities',
        'campaigns',
        'channels',
        'contacts',
        'templates',
        'workspaces',
        'flows',
        'flow_runs',
        'flow_log',
        'bot_answers',
      ],
      ...['delivery_recipients', 'delivery_runs', 'message_rollups', 'message_stats'],
      ...['conversations', 'conversation_marks', 'conversation_notes', 'messages'],
    ],
    because:
      'the sample workspace has a past: it is written as a backup is restored, not as it would come about',
  },
  {
    file: /^packages\/database\/src\/apply-steps\.ts$/,
    tables: ['drizzle.__drizzle_migrations'],
    because: 'which steps a database has is no data of a feature',
  },
  {
    file: /^packages\/database\/src\/backup\/copy-rows\.ts$/,
    tables: [ANY_TABLE],
    because: 'a backup holds every table, and a restore fills them as they were',
  },
  {
    file: /^packages\/database\/src\/backup\/load-database\.ts$/,
    tables: [ANY_TABLE],
    because: 'a restore empties what it fills',
  },
  {
    file: /^packages\/database\/src\/backup\/read-in\/replace-rows\.ts$/,
    tables: [ANY_TABLE, 'delivery_runs', 'message_file_leavings', 'workspaces'],
    because:
      'an archive takes the place of what every feature keeps; a test holds its list against the catalogue',
  },
  {
    file: /^packages\/database\/src\/backup\/carry-secrets\.ts$/,
    tables: ['channels', 'flow_secrets', 'integrations', 'two_factor'],
    because: 'what is sealed with the key of one installation is sealed anew with that of another',
  },
  {
    file: /^packages\/api\/src\/conversations\/follow-contacts\.ts$/,
    tables: ['connector_threads'],
    because: 'conversations that come back with a contact bring what went with them',
  },
  {
    file: /^packages\/api\/src\/data-management\/clear-operation\.ts$/,
    tables: [ANY_TABLE, 'contacts', 'deleted_contacts', 'message_file_leavings', 'teams'],
    because: 'it clears what every feature keeps; a test holds its list against the catalogue',
  },
  {
    file: /^packages\/api\/src\/data-management\/make-room\.ts$/,
    tables: [ANY_TABLE],
    because: 'it clears the same but for what is named with a reason',
  },
  {
    file: /^packages\/delivery\/src\/run-controls\.ts$/,
    tables: ['channels'],
    because: 'a run and the stop of its number change in one statement: between two, a sender would undo it',
  },
  {
    file: /^packages\/delivery\/src\/messages\//,
    tables: ['messages'],
    because:
      "a message is its own queue: its way out is the engine's, with pace and allowance in one transaction",
  },
  {
    file: /^packages\/delivery\/src\/start-run\.ts$/,
    tables: [ANY_TABLE],
    because:
      'the rest of a large audience is frozen in a partition of the recipients under the name of its run',
  },
  {
    file: /^packages\/api\/src\/(company-sign-in|passkeys|profile|two-factor)\//,
    tables: ['accounts', 'sessions', 'users', 'verifications', 'workspaces'],
    because:
      "an account and its proofs are auth's; what a person changes of their own goes in one statement with it",
  },
  {
    file: /^packages\/api\/src\/auth\//,
    tables: ['invitations'],
    because: 'whoever takes an invitation becomes an account in the same act',
  },
];

const sources: Source[] = globSync(
  ['packages/{api,database,delivery,providers}/src/**/*.ts', 'apps/server/src/**/*.ts'],
  {
    cwd: root,
  },
)
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.endsWith('.test.ts') && !path.startsWith('packages/database/src/testing/'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
const constants = readTableConstants(sources);
const tables = new Set(tableOwners.keys());

function findStrangers(files: readonly Source[]) {
  return files
    .flatMap((source) => findTableWrites(source, tables, constants))
    .filter(({ path, table }) => tableOwners.get(table) !== featureOf(path));
}

const isKnown = ({ path, table }: { path: string; table: string }) =>
  OTHERS.some(({ file, tables: allowed }) => file.test(path) && allowed.includes(table));

test('a table is written in the folders of its feature alone', () => {
  expect(findStrangers(sources).filter((write) => !isKnown(write))).toEqual([]);
});

test('no exception has outlived its reason', () => {
  const strangers = findStrangers(sources);
  for (const { file, tables: allowed } of OTHERS)
    expect(
      allowed.filter((table) => strangers.some((one) => file.test(one.path) && one.table === table)),
    ).toEqual(allowed);
});

test('the constants of the query builder are tables of a feature', () => {
  expect(constants.size).toBeGreaterThan(10);
  expect([...constants.values()].filter((table) => !tables.has(table))).toEqual([]);
});

test.each([
  ['sql', "await scope.query('INSERT INTO contacts (id) VALUES ($1)')", 'contacts'],
  ['sql in lower case', '`delete from only contacts where id = $1`', 'contacts'],
  ['sql with a quoted name', '`UPDATE "contact_merges" SET moved = $1`', 'contact_merges'],
  ['a merge', '`MERGE INTO public.messages m USING x ON true`', 'messages'],
  ['a copy', 'COPY contact_consents FROM STDIN', 'contact_consents'],
  [
    'the query builder',
    "import { campaigns } from '@app/database/campaigns/campaigns-tables';\nawait tx\n  .insert(campaigns)",
    'campaigns',
  ],
  [
    'the query builder under another name',
    "import { users as people } from '../auth/auth-tables.ts';\ntx.delete(people)",
    'users',
  ],
  ['a name that nobody can see', '`UPDATE ${table} SET contact_id = $1`', ANY_TABLE],
])('a write by a stranger is found: %s', (_, text, table) => {
  const path = 'packages/api/src/dashboard/planted.ts';
  expect(findStrangers([{ path, text }])).toEqual([{ path, table }]);
});

test("reading, and writing one's own, is nobody's business", () => {
  const path = 'packages/api/src/contacts/planted.ts';
  const text =
    '`SELECT FROM messages FOR UPDATE OF messages`; `INSERT INTO contacts SELECT 1 ON CONFLICT DO UPDATE SET id = 1`; new Map().delete(users)';
  expect(findStrangers([{ path, text }])).toEqual([]);
});
