import { newId } from '@app/database/new-id';
import { parseDeliveryTag } from '@app/domain/delivery/delivery-tag';
import type { FaultOptions, FaultReport } from '../fault-report.ts';
import { openTwoHosts, type TwoHosts } from '../two-hosts.ts';
import { pause, waitUntil } from '../world.ts';

/** Of a campaign of which two in five fail no more may leave before it pauses; the guard looks at the newest hundred. */
const MOST_BEFORE_PAUSE = 0.4;
const PATIENCE_MS = 180_000;
/** A campaign of fewer people is sent before the guard has seen a hundred. */
const LEAST_MESSAGES = 3_000;

/**
 * Two processes send a campaign of which 40 % fail while either is killed, and reports come twice and in any order: it pauses by itself, soon.
 * Resumed with the platform healthy again it is not held back by what failed before. A campaign of which 8 % fail never pauses.
 */
export async function guardCampaign({
  kills = 8,
  messages: asked = LEAST_MESSAGES,
  random,
}: FaultOptions): Promise<FaultReport> {
  const messages = Math.max(asked, LEAST_MESSAGES);
  const product = await openTwoHosts();
  const setBehaviour = (of: object) => product.sandbox('whatsapp/behaviour', of);
  const killing = { isOver: false, times: 0 };
  const beside: Promise<unknown>[] = [];
  try {
    await setBehaviour({
      ...{ windowError: 'off', pairLimit: false, throughputMps: 0, latencyMs: [0, 20], statusDelayMs: 80 },
      ...{ webhookRetryBaseMs: 200, webhookRetryCapMs: 2_000, duplicateRate: 0.2, reorder: 0.3 },
      ...{ failRate: 0.08, failCode: 131026 },
    });
    const healthy = await start(product, 'Healthy', messages / 3);
    const seenPaused = watchPauses(product, healthy, killing);
    const killed = killAtTimes(product, { kills, random, killing });
    beside.push(seenPaused, killed);
    await waitUntil('the healthy campaign is completed', PATIENCE_MS, () => isCompleted(product, healthy));

    await setBehaviour({ failRate: 0.4 });
    const failing = await start(product, 'Failing', messages);
    await waitUntil('the failing campaign pauses', PATIENCE_MS, async () => {
      if (await isCompleted(product, failing)) throw new Error('The failing campaign was sent to its end');
      return (await pauseOf(product, failing)) === 'failures';
    });
    await pause(2_000);
    const left = await countLeft(product, failing);

    await setBehaviour({ failRate: 0 });
    await waitUntil('the platform has told everything', PATIENCE_MS, () => isQuiet(product));
    await product.ask({ path: `/api/campaigns/${failing}/resume`, key: newId() });
    await waitUntil('the campaign is completed', PATIENCE_MS, async () => {
      if ((await pauseOf(product, failing)) !== null) throw new Error('It paused for what failed before');
      return isCompleted(product, failing);
    });
    killing.isOver = true;
    await killed;
    const doubled = (await countDoubled(product, healthy)) + (await countDoubled(product, failing));
    const healthyPauses = await seenPaused;
    return {
      isPassed: doubled === 0 && healthyPauses === 0 && left <= messages * MOST_BEFORE_PAUSE,
      figures: {
        kills: killing.times,
        'people of the failing campaign': messages,
        'left before it paused': left,
        'pauses of the healthy campaign': healthyPauses,
        'accepted twice': doubled,
      },
    };
  } finally {
    killing.isOver = true;
    // A host that is being started again would find no database.
    await Promise.allSettled(beside);
    await product.close();
  }
}

async function start(product: TwoHosts, name: string, people: number): Promise<string> {
  const contactIds = await product.addContacts(name, people);
  const draft = { name, audience: { contactIds }, message: { customMessage: 'Hi {{name}}' } };
  const { body } = await product.ask({ path: '/api/campaigns', body: draft, key: newId() });
  const { id } = body as { id: string };
  await product.ask({ path: `/api/campaigns/${id}/start`, key: newId() });
  return id;
}

type Killing = { isOver: boolean; times: number };

async function killAtTimes(
  product: TwoHosts,
  { kills, random, killing }: { kills: number; random: () => number; killing: Killing },
): Promise<void> {
  while (!killing.isOver && killing.times < kills) {
    await pause(300 + random() * 2_500);
    if (killing.isOver) return;
    killing.times += 1;
    await product.kill(random() < 0.5 ? 0 : 1);
  }
}

/** How often a campaign was seen paused for its failures until it was completed. */
async function watchPauses(product: TwoHosts, campaignId: string, killing: Killing): Promise<number> {
  let seen = 0;
  while (!killing.isOver && !(await isCompleted(product, campaignId))) {
    if ((await pauseOf(product, campaignId)) === 'failures') seen += 1;
    await pause(100);
  }
  return seen;
}

async function isCompleted({ database }: TwoHosts, campaignId: string): Promise<boolean> {
  const { rowCount } = await database.systemPool.query(
    'SELECT FROM delivery_runs WHERE campaign_id = $1 AND completed_at IS NOT NULL',
    [campaignId],
  );
  return rowCount === 1;
}

async function pauseOf({ database }: TwoHosts, campaignId: string): Promise<string | null> {
  const { rows } = await database.systemPool.query<{ pause_reason: string | null }>(
    `SELECT pause_reason FROM delivery_runs WHERE campaign_id = $1 AND state = 'paused'`,
    [campaignId],
  );
  return rows[0]?.pause_reason ?? null;
}

async function isQuiet({ sandbox }: TwoHosts): Promise<boolean> {
  const { statusesPending, webhooks } = await sandbox<{
    statusesPending: number;
    webhooks: { pending: number };
  }>('whatsapp/stats');
  return statusesPending + webhooks.pending === 0;
}

/** How often the platform accepted a message to each place of the campaign. */
async function readLedger({ database, sandbox }: TwoHosts, campaignId: string): Promise<Map<number, number>> {
  const { rows } = await database.systemPool.query<{ run_no: string }>(
    'SELECT run_no FROM delivery_runs WHERE campaign_id = $1',
    [campaignId],
  );
  const runNo = Number(rows[0]?.run_no);
  const places = new Map<number, number>();
  const { messages } = await sandbox<{ messages: { biz_opaque_callback_data: string | null }[] }>(
    'whatsapp/messages?limit=50000',
  );
  for (const { biz_opaque_callback_data: text } of messages) {
    const tag = parseDeliveryTag(text ?? '');
    if (tag?.runNo === runNo) places.set(tag.seq, (places.get(tag.seq) ?? 0) + 1);
  }
  return places;
}

const countLeft = async (product: TwoHosts, campaignId: string): Promise<number> =>
  (await readLedger(product, campaignId)).size;

const countDoubled = async (product: TwoHosts, campaignId: string): Promise<number> =>
  [...(await readLedger(product, campaignId)).values()].filter((times) => times > 1).length;
