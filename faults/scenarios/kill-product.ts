import { newId } from '@app/database/new-id';
import { type Asked, EXPORTED, sendFile } from '../asked.ts';
import { auditProduct } from '../audit-product.ts';
import type { FaultOptions, FaultReport } from '../fault-report.ts';
import { openTwoHosts, type TwoHosts } from '../two-hosts.ts';
import { pause } from '../world.ts';
import { inSmall } from '../../tools/small-run.ts';

const IMPORTED = inSmall(20, 400);
const REMOVED = inSmall(100, 4_000);
const PER_RUN = 60;
const REPLIES = 6;
const WRITERS = 10;
/**
 * `kill -9` of either of two processes of the product, while people import, delete, export, send, answer, merge and erase, and the
 * platform reports twice, late and in any order.
 */
export async function killProduct({ kills = 12, random }: FaultOptions): Promise<FaultReport> {
  const product = await openTwoHosts();
  const asked: Asked = {
    ...{ imports: [], removals: [], exports: [], campaigns: [], messages: [], mails: [], erased: [] },
  };
  try {
    await product.sandbox('whatsapp/behaviour', {
      ...{ windowError: 'off', pairLimit: false, throughputMps: 0, latencyMs: [0, 20], statusDelayMs: 80 },
      ...{ webhookRetryBaseMs: 200, webhookRetryCapMs: 2_000 },
    });
    await product.addContacts('kept', EXPORTED);
    const writers = await hearFrom(
      product,
      Array.from({ length: WRITERS }, (_, n) => `49157300${1000 + n}`),
    );
    for (let round = 0; round < kills; round += 1) {
      const acts = [
        () => importFile(product, asked, round),
        () => removeMany(product, asked, round),
        () => exportAll(product, asked),
        () => sendBulk(product, asked, round),
        () => startCampaign(product, asked, round),
        () => answer(product, asked, { round, writers, random }),
        () => enquire(product, asked, round),
        () => mergeAndErase(product, asked, round),
        () => tellAgain(product, random),
      ].toSorted(() => random() - 0.5);
      const done = Promise.all(
        acts.map(async (act, place) => {
          await pause(place * 40);
          await act();
        }),
      );
      await pause(100 + random() * 1_500);
      await product.kill(random() < 0.5 ? 0 : 1);
      await done;
    }
    return await auditProduct(product, asked, { kills });
  } finally {
    await product.close();
  }
}

/** They write, and the product hears it; answers with their contacts. */
async function hearFrom(product: TwoHosts, numbers: string[]): Promise<string[]> {
  await product.sandbox(
    'whatsapp/inbound',
    numbers.map((from) => ({ from, name: `Writer ${from}`, text: 'Hello' })),
  );
  for (;;) {
    const { rows } = await product.database.systemPool.query<{ id: string }>(
      `SELECT id FROM contacts WHERE workspace_id = $1 AND phone = ANY ($2) ORDER BY phone`,
      [product.workspaceId, numbers.map((number) => `+${number}`)],
    );
    if (rows.length === numbers.length) return rows.map(({ id }) => id);
    await pause(100);
  }
}

async function importFile(product: TwoHosts, asked: Asked, round: number): Promise<void> {
  const id = newId();
  const lines = Array.from(
    { length: IMPORTED },
    (_, n) => `Imported ${round} ${n},+4915${9_000_000_000 + round * 10_000 + n}`,
  );
  const file = ['name,phone', ...lines].join('\n');
  asked.imports.push({ id, file, rows: IMPORTED });
  await sendFile(product, { id, file });
}

async function removeMany(product: TwoHosts, asked: Asked, round: number): Promise<void> {
  const tag = `gone ${round}`;
  await product.addContacts(tag, REMOVED);
  const id = newId();
  asked.removals.push({ id, tag });
  await product.ask({
    path: '/api/contacts/removals',
    body: { removalId: id, choice: { filter: { tag } } },
    key: id,
  });
}

async function exportAll({ ask }: TwoHosts, asked: Asked): Promise<void> {
  const wish = { format: 'csv', choice: { filter: { tag: 'kept' } } };
  const { body } = await ask({ path: '/api/contacts/exports', body: wish, key: newId() });
  asked.exports.push((body as { id: string }).id);
}

async function sendBulk(product: TwoHosts, asked: Asked, round: number): Promise<void> {
  const contactIds = await product.addContacts(`bulk ${round}`, PER_RUN);
  const wish = { audience: { contactIds }, message: { customMessage: 'Hello {{name}}' } };
  const { body } = await product.ask({ path: '/api/bulk-messages', body: wish, key: newId() });
  asked.campaigns.push((body as { campaignId: string }).campaignId);
}

async function startCampaign(product: TwoHosts, asked: Asked, round: number): Promise<void> {
  const contactIds = await product.addContacts(`campaign ${round}`, PER_RUN);
  const draft = {
    name: `Campaign ${round}`,
    audience: { contactIds },
    message: { customMessage: 'Hi {{name}}' },
  };
  const { body } = await product.ask({ path: '/api/campaigns', body: draft, key: newId() });
  const { id } = body as { id: string };
  asked.campaigns.push(id);
  await product.ask({ path: `/api/campaigns/${id}/start`, key: newId() });
}

async function answer(
  product: TwoHosts,
  asked: Asked,
  { round, writers, random }: { round: number; writers: string[]; random: () => number },
): Promise<void> {
  for (let reply = 0; reply < REPLIES; reply += 1) {
    const contactId = writers[Math.floor(random() * writers.length)];
    const { body: opened } = await product.ask({
      path: '/api/conversations',
      body: { contactId },
      key: newId(),
    });
    const path = `/api/conversations/${(opened as { id: string }).id}/messages`;
    const message = { text: `Answer ${round}.${reply}` };
    const { body } = await product.ask({ path, body: { message }, key: newId() });
    asked.messages.push((body as { id: string }).id);
  }
}

async function enquire({ ask }: TwoHosts, asked: Asked, round: number): Promise<void> {
  const word = `Enquiry number ${round} of somebody`;
  const enquiry = { name: 'Visitor', email: 'visitor@example.com', message: word };
  const { status } = await ask({ path: '/api/sales-enquiries', body: enquiry, key: newId() });
  // A process that dies with it in its hands leaves it in doubt; the visitor is told so.
  if (status === 200) asked.mails.push(word);
}

/** Of three who write, two become one and one is erased; the platform tells what they wrote again, meanwhile and later. */
async function mergeAndErase(product: TwoHosts, asked: Asked, round: number): Promise<void> {
  const numbers = [1, 2, 3].map((n) => `4915740${10_000 + round * 10 + n}`);
  const people = await hearFrom(product, numbers);
  const versions = await product.database.systemPool.query<{ id: string; version: number }>(
    'SELECT id, version FROM contacts WHERE id = ANY ($1)',
    [people.slice(0, 2)],
  );
  const contacts = versions.rows.map(({ id, version }) => ({ contactId: id, version }));
  const again = tellAgain(product, () => 0);
  await product.ask({
    path: '/api/contacts/merges',
    body: { mergeId: newId(), survivorId: people[0], contacts },
    key: newId(),
  });
  const { status } = await product.ask({ path: `/api/contacts/${people[2]}/erase`, key: newId() });
  if (status === 200) asked.erased.push(numbers[2]!);
  await again;
  await tellAgain(product, () => 0);
}

/** Webhooks of before, some of them twice; the newest stand first. */
async function tellAgain({ sandbox }: TwoHosts, random: () => number): Promise<void> {
  const { webhooks } = await sandbox<{ webhooks: { id: number }[] }>('whatsapp/webhooks?limit=200');
  const from = Math.floor(random() * Math.max(0, webhooks.length - 12));
  for (const { id } of webhooks.slice(from, from + 12))
    await sandbox(`whatsapp/webhooks/${id}/replay?times=2`, {}).catch(() => undefined);
}
