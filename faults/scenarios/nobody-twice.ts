import { newId } from '@app/database/new-id';
import { parseDeliveryTag } from '@app/domain/delivery/delivery-tag';
import { auditBudget } from '../audit-budget.ts';
import { createRandom, type FaultOptions, type FaultReport } from '../fault-report.ts';
import { openTwoHosts, type Answer, type TwoHosts } from '../two-hosts.ts';
import { pause, waitUntil } from '../world.ts';

const PEOPLE = 12;
const LEFT_OUT = 3;
const AT_ONCE = 6;
const PATIENCE_MS = 60_000;
const PRICES = { asOf: '2026-11-01', countries: {}, others: { marketing: 0.1, utility: 0.05 } };

/** Two campaigns to the same people, of which each leaves out who is about to get the other. */
type Life = {
  campaigns: string[];
  people: string[];
  leftOut: string[];
  /** Those of which the last word was that their start was taken back. */
  takenBack: Set<string>;
};

/**
 * Two processes, either of which is killed now and then. Campaigns are started, taken back, started again, paused, resumed and tried again
 * for the failed, each press in both processes at once, while their people are merged: nobody has one twice, nobody who is left out has one,
 * nobody has two of those that leave each other's people out, and what is charged is what left.
 */
export async function sendToNobodyTwice({
  kills = 12,
  messages = 100,
  random,
}: FaultOptions): Promise<FaultReport> {
  const product = await openTwoHosts();
  const state = { isOver: false, kills: 0 };
  try {
    await product.sandbox('whatsapp/behaviour', {
      ...{ windowError: 'off', pairLimit: false, throughputMps: 0, latencyMs: [0, 30], statusDelayMs: 80 },
      ...{ webhookRetryBaseMs: 200, webhookRetryCapMs: 2_000, duplicateRate: 0.2, reorder: 0.3 },
      ...{ failRate: 0.15, failCode: 131000 },
    });
    await product.database.systemPool.query(
      'UPDATE workspaces SET settings = settings || $2::jsonb WHERE id = $1',
      [
        product.workspaceId,
        JSON.stringify({
          ...{ priceList: PRICES, currency: 'EUR', budget: { isEnabled: true, perMonth: 100_000 } },
          messageLimits: { isEnabled: true, perMinute: 60_000, perDay: 90_000 },
          campaignGuard: { isEnabled: false, failurePercent: 25, among: 100 },
        }),
      ],
    );
    const templateId = await submitOffer(product);
    const killing = killAtTimes(product, { kills, random: createRandom(random() * 1e9), state });
    const lives: Life[] = [];
    for (let first = 0; first < messages; first += AT_ONCE) {
      const batch = Array.from({ length: Math.min(AT_ONCE, messages - first) }, (_, place) =>
        live(product, { no: first + place, templateId, random: createRandom(random() * 1e9) }),
      );
      lives.push(...(await Promise.all(batch)));
    }
    state.isOver = true;
    await killing;
    await waitUntil('the platform has told everything', PATIENCE_MS, () => isQuiet(product));
    return await audit(product, lives, { 'pairs of campaigns': lives.length, kills: state.kills });
  } finally {
    state.isOver = true;
    await product.close();
  }
}

async function killAtTimes(
  product: TwoHosts,
  {
    kills,
    random,
    state,
  }: { kills: number; random: () => number; state: { isOver: boolean; kills: number } },
): Promise<void> {
  while (!state.isOver && state.kills < kills) {
    await pause(500 + random() * 4_000);
    if (state.isOver) return;
    state.kills += 1;
    await product.kill(random() < 0.5 ? 0 : 1);
  }
}

type LifeOf = { no: number; templateId: string; random: () => number };

async function live(product: TwoHosts, { no, templateId, random }: LifeOf): Promise<Life> {
  const tag = `life ${no}`;
  const contactIds = await product.addContacts(tag, PEOPLE);
  const leftOut = contactIds.slice(0, LEFT_OUT);
  const pool = product.database.systemPool;
  await pool.query(`UPDATE contacts SET tags = tags || '{left out}' WHERE id = ANY($1)`, [leftOut]);
  const phones = await pool.query<{ id: string; phone: string }>(
    'SELECT id, phone FROM contacts WHERE id = ANY($1)',
    [contactIds],
  );
  const phonesOf = (ids: readonly string[]) =>
    phones.rows.filter(({ id }) => ids.includes(id)).map(({ phone }) => phone.slice(1));
  const rests = random() < 0.6;
  const life: Life = {
    campaigns: [],
    people: phonesOf(contactIds),
    leftOut: phonesOf(leftOut),
    takenBack: new Set(),
  };
  const wish = {
    message: { templateId },
    audience: {
      filter: { tags: [tag] },
      except: [{ tags: ['left out'] }],
      ...(rests && { restDays: 2 }),
    },
  };
  for (const name of rests ? ['A', 'B'] : ['A']) {
    const draft = { name: `${tag} ${name}`, ...wish };
    const { body, text } = await product.ask({ path: '/api/campaigns', body: draft, key: newId() });
    if (!(body as { id?: string }).id) throw new Error(`A campaign was refused: ${text}`);
    life.campaigns.push((body as { id: string }).id);
  }
  const merging = random() < 0.3 ? mergeTwo(product, contactIds.slice(LEFT_OUT, LEFT_OUT + 2), random) : null;
  await Promise.all(life.campaigns.map((id) => pressAround(product, id, life, random)));
  await merging;
  return life;
}

/** The same press in both processes, with one key or with two; the first answer. */
async function press(product: TwoHosts, path: string, random: () => number, body?: object): Promise<Answer> {
  const key = newId();
  const other = random() < 0.5 ? key : newId();
  const both = ([0, 1] as const).map((host) =>
    product.ask({ path, host, key: host === 0 ? key : other, ...(body && { body }) }),
  );
  const answers = await Promise.all(both);
  return answers.find(({ status }) => status === 200) ?? answers[0]!;
}

type Seen = { status: string; version: number; counts: { failed: number; unknown: number } };

async function pressAround(product: TwoHosts, id: string, life: Life, random: () => number): Promise<void> {
  const path = `/api/campaigns/${id}`;
  const read = async () => (await product.ask({ method: 'GET', path })).body as Seen;
  for (let turn = 0; turn < 8; turn += 1) {
    const { status, version } = await read();
    if (status === 'completed') break;
    const dice = random();
    if (status === 'draft') {
      if (turn > 4 && dice < 0.2) break;
      await press(product, `${path}/start`, random, {
        takeBackSeconds: Math.floor(random() * 5),
        ...(random() < 0.7 && { version }),
      });
      life.takenBack.delete(id);
      await pause(random() * 1_200);
      if (random() < 0.6) {
        const { status: answer, body } = await press(product, `${path}/take-back`, random);
        if (answer === 200 && (body as Seen).status === 'draft') life.takenBack.add(id);
      }
    } else if (status === 'running' && dice < 0.6) await press(product, `${path}/pause`, random);
    else if (status === 'paused') await press(product, `${path}/resume`, random);
    await pause(random() * 300);
  }
  await bringToItsEnd(product, id, life, random);
}

async function bringToItsEnd(product: TwoHosts, id: string, life: Life, random: () => number): Promise<void> {
  const path = `/api/campaigns/${id}`;
  let retries = 0;
  await waitUntil(`campaign ${id} is over`, PATIENCE_MS, async () => {
    const { status, counts } = (await product.ask({ method: 'GET', path })).body as Seen;
    if (status === 'draft' || status === 'cancelled') return true;
    if (status === 'paused') await press(product, `${path}/resume`, random);
    if (status !== 'completed') return false;
    if (counts.failed === 0 || retries === 2) return true;
    retries += 1;
    await press(product, `${path}/retry-failed`, random);
    await pause(500);
    return false;
  });
  if (((await product.ask({ method: 'GET', path })).body as Seen).status === 'draft') life.takenBack.add(id);
}

async function mergeTwo(product: TwoHosts, ids: string[], random: () => number): Promise<void> {
  await pause(random() * 2_500);
  const { rows } = await product.database.systemPool.query<{ id: string; version: number }>(
    'SELECT id, version FROM contacts WHERE id = ANY ($1)',
    [ids],
  );
  const contacts = rows.map(({ id, version }) => ({ contactId: id, version }));
  const body = { mergeId: newId(), survivorId: ids[0], contacts };
  await product.ask({ path: '/api/contacts/merges', body, key: newId() });
}

/** Marketing, so that it is charged and everybody may get it. */
async function submitOffer(product: TwoHosts): Promise<string> {
  const find = async () =>
    (
      await product.database.systemPool.query<{
        id: string;
        version: number;
        platform_name: string;
        platform_status: string | null;
      }>(
        `SELECT id, version, platform_name, platform_status FROM templates WHERE workspace_id = $1 AND name = 'Weekend Offer'`,
        [product.workspaceId],
      )
    ).rows[0]!; // the sample has it
  await product.database.systemPool.query(
    `UPDATE templates SET status = 'approved' WHERE name = 'Weekend Offer'`,
  );
  const { id, version } = await find();
  await product.ask({ path: `/api/templates/${id}/submit`, body: { version }, key: newId() });
  await product.sandbox(`whatsapp/templates/${(await find()).platform_name}`, { status: 'approved' });
  await waitUntil(
    'the template is approved',
    PATIENCE_MS,
    async () => (await find()).platform_status === 'APPROVED',
  );
  return id;
}

async function isQuiet({ sandbox, database }: TwoHosts): Promise<boolean> {
  const { rowCount } = await database.systemPool.query(
    'SELECT FROM delivery_runs WHERE completed_at IS NULL LIMIT 1',
  );
  const { statusesPending, webhooks } = await sandbox<{
    statusesPending: number;
    webhooks: { pending: number };
  }>('whatsapp/stats');
  return rowCount === 0 && statusesPending + webhooks.pending === 0;
}

type Entry = { to: string; status: string; biz_opaque_callback_data: string | null };

async function audit(
  product: TwoHosts,
  lives: readonly Life[],
  figures: Record<string, number>,
): Promise<FaultReport> {
  const { messages } = await product.sandbox<{ messages: Entry[] }>('whatsapp/messages?limit=100000');
  const runs = await product.database.systemPool.query<{ run_no: string; campaign_id: string }>(
    'SELECT run_no, coalesce(retry_of, campaign_id) AS campaign_id FROM delivery_runs',
  );
  const campaignOf = new Map(runs.rows.map((row) => [Number(row.run_no), row.campaign_id]));
  /** What arrived, by campaign: the numbers, each as often as the platform took it. */
  const got = new Map<string, string[]>();
  let ofNoRun = 0;
  for (const { to, status, biz_opaque_callback_data: text } of messages) {
    const tag = parseDeliveryTag(text ?? '');
    if (!tag || status === 'failed') continue;
    const campaign = campaignOf.get(tag.runNo);
    if (campaign === undefined) ofNoRun += 1;
    else got.set(campaign, [...(got.get(campaign) ?? []), to]);
  }
  const doubled = (all: readonly string[]) => all.length - new Set(all).size;
  const gotOf = (id: string) => got.get(id) ?? [];
  const sum = (of: (life: Life) => number) => lives.reduce((total, life) => total + of(life), 0);
  const faults = {
    'got one campaign twice': sum(({ campaigns }) =>
      campaigns.reduce((total, id) => total + doubled(gotOf(id)), 0),
    ),
    'got two that leave each other’s people out': sum(({ campaigns }) =>
      doubled(campaigns.flatMap((id) => [...new Set(gotOf(id))])),
    ),
    'left out, and got one': sum(
      ({ campaigns, leftOut }) => campaigns.flatMap(gotOf).filter((to) => leftOut.includes(to)).length,
    ),
    'of starts that were taken back': sum(
      ({ campaigns, takenBack }) =>
        campaigns.filter((id) => takenBack.has(id)).flatMap(gotOf).length + ofNoRun,
    ),
    ...(await auditMoney(product)),
    'allowance of the day, miscounted': await auditDay(product, messages),
  };
  return {
    isPassed: Object.values(faults).every((count) => count === 0),
    figures: {
      ...figures,
      'messages at the platform': messages.length,
      'starts taken back': await count(
        product,
        `SELECT FROM events WHERE type = 'campaign.start_taken_back'`,
      ),
      'campaigns that ended as a draft': sum(({ takenBack }) => takenBack.size),
      ...faults,
    },
  };
}

async function auditMoney(product: TwoHosts): Promise<Record<string, number>> {
  const money = await auditBudget(
    { database: product.database, control: (_, path) => product.sandbox(`whatsapp/${path}`) },
    PRICES,
  );
  const { unpaid, idle, spent, inDoubt, counted } = money;
  return {
    'sent, not charged': unpaid,
    'charged, not sent': idle,
    'charged beyond what left': Math.round((counted - spent - inDoubt) * 1e6) / 1e6,
  };
}

/** What counts against the limit of the day and did not leave, or left and does not count. */
async function auditDay({ database }: TwoHosts, messages: readonly Entry[]): Promise<number> {
  const { rows } = await database.systemPool.query<{ used: string; unknown: string }>(
    `SELECT (SELECT coalesce(sum(used), 0) FROM delivery_usage) AS used,
            (SELECT count(*) FROM delivery_recipients WHERE state = 5) AS unknown`,
  );
  return Number(rows[0]?.used) - Number(rows[0]?.unknown) - messages.length;
}

async function count({ database }: TwoHosts, text: string): Promise<number> {
  const { rows } = await database.systemPool.query<{ n: string }>(
    `SELECT count(*) AS n FROM (${text}) AS found`,
  );
  return Number(rows[0]?.n);
}
