import { addDueRuns, change, countRuns, openElsewhere, publishWorkflow, quantile } from '../flow-crowd.ts';
import type { FaultOptions, FaultReport } from '../fault-report.ts';
import { openTwoHosts, type TwoHosts } from '../two-hosts.ts';
import { pause, waitUntil } from '../world.ts';
import { inSmall } from '../../tools/small-run.ts';

const TAG = 'beside';
const HELD = 5_000;
const HELD_MS = inSmall(2_000, 60_000);
const APART_MS = 400;
const MOST_MS = 1_000;

/**
 * A transaction holds all contacts of one workspace for a minute, as a large import does, while their runs are due: workflows of another workspace
 * begin and end within a second, and none of the held runs is lost.
 */
export async function runBesideImport({ messages = HELD }: FaultOptions): Promise<FaultReport> {
  const product = await openTwoHosts();
  try {
    const flowId = await publishWorkflow(product, {
      ...{ name: 'Beside', start: 'mark' },
      triggers: [{ id: 'begin', type: 'tag_added', config: { tags: ['go'] } }],
      steps: [{ id: 'mark', type: 'add_tag', config: { tag: 'went' }, next: {} }],
    });
    const contactIds = await product.addContacts(TAG, Math.ceil(HELD_MS / APART_MS));
    const elsewhere = await openElsewhere(product);
    const held = await addContactsElsewhere(product, elsewhere.workspaceId, messages);
    const holder = await product.database.systemPool.connect();
    const times: number[] = [];
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM contacts WHERE workspace_id = $1 ORDER BY id FOR UPDATE', [
        elsewhere.workspaceId,
      ]);
      await addDueRuns(product, elsewhere, { count: held.length, at: new Date(), contactIds: held });
      const until = performance.now() + HELD_MS;
      for (const contactId of contactIds) {
        if (performance.now() > until) break;
        times.push(await timeOne(product, { flowId, contactId }));
        await pause(APART_MS);
      }
    } finally {
      await holder.query('COMMIT');
      holder.release();
    }
    await waitUntil('the held runs have ended', 600_000, async () => {
      const { running } = await countRuns(product, elsewhere);
      return running === 0;
    });
    const { completed } = await countRuns(product, elsewhere);
    const most = Math.max(...times);
    return {
      isPassed: completed === held.length && times.length > 0 && most <= MOST_MS,
      figures: {
        ...{ 'runs of held contacts': held.length, 'of which completed afterwards': completed },
        'triggers of the other workspace': times.length,
        'from the tag to the end of the run, median': `${Math.round(quantile(times, 0.5))} ms`,
        longest: `${Math.round(most)} ms`,
      },
    };
  } finally {
    await product.close();
  }
}

async function addContactsElsewhere(
  { database }: TwoHosts,
  workspaceId: string,
  count: number,
): Promise<string[]> {
  const { rows } = await database.systemPool.query<{ id: string }>(
    `INSERT INTO contacts (id, workspace_id, name, phone)
     SELECT gen_random_uuid(), $1, 'Held ' || n, '+49159' || (10000000 + n) FROM generate_series(1, $2::integer) n RETURNING id`,
    [workspaceId, count],
  );
  return rows.map(({ id }) => id);
}

/** From the request that adds the tag to the end of the run. */
async function timeOne(
  product: TwoHosts,
  { flowId, contactId }: { flowId: string; contactId: string },
): Promise<number> {
  const beganAt = performance.now();
  await change(product, '/api/contacts/bulk-edit', { choice: { contactIds: [contactId] }, addTags: ['go'] });
  await waitUntil('a workflow of the other workspace has run', 600_000, async () => {
    const { rowCount } = await product.database.systemPool.query(
      `SELECT FROM flow_runs WHERE flow_id = $1 AND contact_id = $2 AND status = 'completed'`,
      [flowId, contactId],
    );
    return rowCount === 1;
  });
  return performance.now() - beganAt;
}
