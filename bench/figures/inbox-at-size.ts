import type { Bench, BenchRow } from '../harness/bench-report.ts';
import { addPeople, openBenchProduct, type BenchProduct } from '../harness/bench-product.ts';
import { median, show } from '../harness/rounds.ts';

const MESSAGES_OF_EACH = 100;
const GOAL_MS = 150;

/** What is asked, and what of it is special. */
const SEARCHES: readonly [what: string, search: string][] = [
  ['a word of every tenth message', 'delivery'],
  ['two frequent words', 'price please'],
  ['a word of one message', 'nr4999999'],
  ['a word of none', 'nosuchword'],
  ['two letters', 'pr'],
];
const LISTS: readonly [what: string, search: string][] = [
  ['all', ''],
  ['unread', '&unread=yes'],
  ['nobody’s', '&assignee=nobody'],
  ['a rare label', '&label=urgent'],
];

/** List and search of the inbox, by the API as the page calls it: `--large=100000` conversations with a hundred messages each. */
export const inboxAtSize: Bench = {
  title: 'Inbox at size',
  async run({ rounds, large }) {
    const product = await openBenchProduct();
    try {
      console.log(`  adding ${(large * MESSAGES_OF_EACH).toLocaleString('en')} messages`);
      await addPeople(product, large);
      await addMessages(product);
      const rows: BenchRow[] = [];
      for (const [what, search] of LISTS)
        rows.push(
          await measure(
            product,
            `list, ${what}`,
            `/api/conversations?order=pinned&limit=50${search}`,
            rounds,
          ),
        );
      for (const [what, search] of SEARCHES)
        rows.push(
          await measure(
            product,
            `search, ${what}`,
            `/api/conversations/search?limit=30&search=${encodeURIComponent(search)}`,
            rounds,
          ),
        );
      return rows;
    } finally {
      await product.close();
    }
  },
};

async function measure(
  product: BenchProduct,
  figure: string,
  path: string,
  rounds: number,
): Promise<BenchRow> {
  const times: number[] = [];
  for (let round = 0; round < rounds * 4; round += 1) {
    const begun = performance.now();
    const response = await product.get(path);
    if (!response.ok) throw new Error(`${figure}: ${response.status}`);
    await response.arrayBuffer();
    times.push(performance.now() - begun);
  }
  const [middle, worst] = [median(times), Math.max(...times)];
  console.log(`  ${figure}: ${show(middle)} ms`);
  return {
    figure,
    measured: `${show(middle)} ms (at most ${show(worst)})`,
    peer: '',
    goal: `${GOAL_MS} ms`,
    isMet: middle <= GOAL_MS,
  };
}

const WORDS =
  'delivery price please order thanks obrigado preço pedido quando amanhã können Größe heute size colour today invoice address waiting parcel';

/** A conversation for each of the people, with messages over two years; the index of words is built at the end. */
async function addMessages({ database, workspaceId }: BenchProduct): Promise<void> {
  const client = await database.database.systemPool.connect();
  try {
    await client.query(
      `SET statement_timeout = 0; SET synchronous_commit = off; SET maintenance_work_mem = '1GB'`,
    );
    const { rows } = await client.query<{ indexdef: string }>(
      `SELECT indexdef FROM pg_indexes WHERE indexname = 'messages_words'`,
    );
    await client.query('DROP INDEX messages_words');
    await client.query(
      `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, provider_message_id, type, text, payload, occurred_at, author)
       SELECT gen_random_uuid(), k.workspace_id, (SELECT id FROM channels WHERE workspace_id = $1 LIMIT 1), k.id,
              CASE WHEN n % 3 = 0 THEN 'out' ELSE 'in' END, 'wamid.bench.' || k.place || '.' || n, 'text',
              ($2::text[])[1 + (k.place * 7 + n) % 20] || ' ' || ($2::text[])[1 + (k.place * 3 + n * 5) % 20] || ' word' || (k.place * n) % 30011
                || ' nr' || (k.place - 1) * ${MESSAGES_OF_EACH} + n,
              '{}', now() - interval '2 years' * ((k.place * 7919 + n * 104729) % 1000003) / 1000003.0, CASE WHEN n % 3 = 0 THEN 'app' ELSE 'contact' END
         FROM (SELECT id, workspace_id, row_number() OVER (ORDER BY id) AS place FROM contacts WHERE workspace_id = $1) AS k,
              generate_series(1, ${MESSAGES_OF_EACH}) n
       ON CONFLICT DO NOTHING`,
      [workspaceId, WORDS.split(' ')],
    );
    await client.query(
      `INSERT INTO conversations (id, workspace_id, contact_id, channel_id, status, labels, unread, last_message_id, last_message_type,
         last_message_direction, last_message_at, last_activity_at)
       SELECT gen_random_uuid(), workspace_id, contact_id, channel_id, CASE WHEN random() < 0.2 THEN 'open' ELSE 'resolved' END,
              CASE WHEN random() < 0.001 THEN '{urgent}'::text[] ELSE '{}' END, (random() < 0.02)::integer, id, type, direction, occurred_at, occurred_at
         FROM (SELECT DISTINCT ON (contact_id, channel_id) * FROM messages WHERE workspace_id = $1 AND contact_id IS NOT NULL
                ORDER BY contact_id, channel_id, occurred_at DESC) AS m
       ON CONFLICT DO NOTHING`,
      [workspaceId],
    );
    for (const { indexdef } of rows) await client.query(indexdef);
    await client.query('VACUUM ANALYZE messages');
    await client.query('VACUUM ANALYZE conversations');
  } finally {
    client.release();
  }
}
