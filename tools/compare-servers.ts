import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startTestCluster } from '../packages/database/src/testing/test-cluster.ts';
import { createTestDatabase } from '../packages/database/src/testing/test-database.ts';
import { nameForm } from './statement-form.ts';

/**
 * Has every statement that the tests sent to the embedded server prepared by it and by the second PostgreSQL, each with the schema
 * of the product: what the one understands, the other must, with parameters of the same types. What cannot be prepared (commands
 * without a plan, tables of a test's own) is left out by the embedded server's own word.
 */

type Prepared = { parameters: string } | { refusal: string };

const folder = process.env.STATEMENTS_FOLDER ?? '';
const statements = readStatements();
const embedded = await prepareAll('embedded', statements);
const known = statements.filter((_, index) => 'parameters' in embedded[index]!); // one answer for each
const second = await prepareAll('system', known);
const expected = embedded.filter((answer) => 'parameters' in answer);
const differences = known.flatMap((statement, index) => {
  const [one, other] = [expected[index]!, second[index]!]; // one answer for each
  if ('parameters' in other && other.parameters === one.parameters) return [];
  return [
    `${'refusal' in other ? other.refusal : `takes ${other.parameters}, not ${one.parameters}`}: ${statement}`,
  ];
});
for (const difference of differences) console.log(difference);
console.log(`${known.length} of ${statements.length} statements compared, ${differences.length} differ`);
if (differences.length > 0 || known.length === 0) process.exitCode = 1;

/** One of each form. */
function readStatements(): string[] {
  const all = readdirSync(folder).flatMap(
    (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as string[],
  );
  return [...new Map(all.map((statement) => [nameForm(statement), statement])).values()];
}

async function prepareAll(server: 'embedded' | 'system', texts: readonly string[]): Promise<Prepared[]> {
  const given = server === 'system' ? process.env.TEST_DATABASE_URL : undefined;
  const cluster = given ? undefined : await startTestCluster(server);
  process.env.TEST_DATABASE_URL = given ?? cluster!.url; // started where none is given
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  try {
    await client.connect();
    const answers: Prepared[] = [];
    for (const text of texts) answers.push(await prepare(client, text));
    return answers;
  } finally {
    await client.end();
    await database.drop();
    await cluster?.stop();
    if (given === undefined) delete process.env.TEST_DATABASE_URL;
  }
}

async function prepare(client: pg.Client, text: string): Promise<Prepared> {
  try {
    // In this mode the server refuses more than one command, so that nothing of a list of them is carried out.
    const command = { text: `PREPARE one AS ${text.trim().replace(/;$/, '')}`, queryMode: 'extended' };
    await client.query(command satisfies pg.QueryConfig);
    const { rows } = await client.query<{ parameters: string }>(
      'SELECT parameter_types::text AS parameters FROM pg_prepared_statements WHERE name = $1',
      ['one'],
    );
    await client.query('DEALLOCATE one');
    return { parameters: rows[0]!.parameters }; // it was prepared just now
  } catch (error) {
    return { refusal: (error as Error).message };
  }
}
