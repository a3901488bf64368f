import pg from 'pg';
import { newId } from '@app/database/new-id';
import { enqueueMessage } from '@app/delivery/messages/enqueue-message';
import { resolveUnknown } from '@app/delivery/run-controls';
import { inTransaction } from '@app/delivery/transaction';
import type { PriceList } from '@app/domain/settings/price-list';
import { auditBudget, type BudgetAudit } from '../audit-budget.ts';
import type { Child } from '../child-process.ts';
import type { FaultOptions, FaultReport } from '../fault-report.ts';
import { openWorld, pause, waitUntil, type World } from '../world.ts';

const PRICES: PriceList = {
  asOf: '2026-11-01',
  countries: { DE: { marketing: 0.13, utility: 0.05 }, FR: { marketing: 0.07, utility: 0.03 } },
  others: { marketing: 0.2, utility: 0.1 },
};
const SINGLES = 4;
/** With fewer the budget pays for one of the campaigns, and it does not wait. */
const LEAST_MESSAGES = 400;
const template = { type: 'template', name: 'hello_world', language: 'en_US' } as const;

/**
 * Two processes send two campaigns and single messages through two numbers, against a budget that pays for half of it. They are killed and the
 * database is cut at random moments, while some of what was sent fails and reports come twice and in any order.
 */
export async function keepBudget({
  kills = 16,
  messages: asked = 1_600,
  random,
}: FaultOptions): Promise<FaultReport> {
  const messages = Math.max(asked, LEAST_MESSAGES);
  const world = await openWorld();
  const senders: Child[] = [];
  const cutter = new pg.Client({ connectionString: world.testDatabase.url });
  try {
    await cutter.connect();
    await world.setBehaviour({ failRate: 0.08, failCode: 131026, duplicateRate: 0.2, reorder: 0.3 });
    const perMonth = Math.round(messages * 0.05);
    await setBudget(world, perMonth);
    const numbers = [world.channelId, await world.addNumber()];
    const runNos = [];
    for (const channelId of numbers) {
      const people = [
        ...(await world.addContacts(messages / 4)),
        ...(await world.addContacts(messages / 4, '+336')),
      ];
      runNos.push(await world.startRun(people, { channelId, content: template }));
    }
    let most = { spent: 0, counted: 0 };
    const look = async (): Promise<void> => {
      const { spent, counted } = await auditBudget(world, PRICES);
      most = { spent: Math.max(most.spent, spent), counted: Math.max(most.counted, counted) };
    };
    let cuts = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      while (senders.length < 2) senders.push(world.startSender({ leaseMs: 3_000 }));
      await Promise.all(senders.map(({ ready }) => ready));
      await unlessCut(() => enqueueSingles(world, numbers));
      await pause(50 + random() * 500);
      const dice = random();
      if (dice < 0.25) {
        cuts += 1;
        await cutter.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        );
      } else if (dice < 0.5) await Promise.all(senders.splice(0).map((sender) => sender.stop('SIGKILL')));
      else await senders.splice(random() < 0.5 ? 0 : 1, 1)[0]?.stop('SIGKILL');
      await unlessCut(look);
    }
    while (senders.length < 2) senders.push(world.startSender());
    await settle(world, runNos);
    await look();
    const full = await auditBudget(world, PRICES);
    const reasons = await readPauses(world, runNos);
    await setBudget(world, perMonth * 4);
    await world.finish(runNos, 180_000);
    await world.quiet();
    // A person finds out that what is in doubt never left: it costs nothing.
    for (const runNo of runNos)
      await inTransaction(world.database.systemPool, (client) =>
        resolveUnknown(client, runNo, 'mark_not_sent'),
      );
    const end = await auditBudget(world, PRICES);
    const least = perMonth * 0.98 - 0.13;
    const isPassed =
      [most.spent, most.counted].every((amount) => amount <= perMonth) &&
      reasons.every((reason) => reason === 'budget') &&
      full.counted >= least &&
      [full, end].every(isTrue);
    return {
      isPassed,
      figures: {
        ...{
          kills: kills - cuts,
          cuts,
          'single messages': kills * SINGLES * numbers.length,
          budget: perMonth,
        },
        'most ever spent': most.spent,
        'most ever counted': most.counted,
        'campaigns paused at the budget': `${reasons.filter((reason) => reason === 'budget').length} of ${reasons.length}`,
        ...figuresOf('at the budget', full),
        ...figuresOf('raised, and decided about', end),
      },
    };
  } finally {
    await cutter.end().catch(() => undefined);
    await Promise.all(senders.map((sender) => sender.stop('SIGKILL')));
    await world.close();
  }
}

/** The database was cut for this process as well: what failed for that is done anew, on other connections. */
async function unlessCut(act: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await act();
    } catch (error) {
      if (attempt === 10) throw error;
      await pause(100);
    }
}

function isTrue({ doubled, unpaid, idle, spent, inDoubt, counted }: BudgetAudit): boolean {
  return doubled + unpaid + idle === 0 && Math.abs(spent + inDoubt - counted) < 0.000_001;
}

function figuresOf(when: string, audit: BudgetAudit): Record<string, number> {
  return Object.fromEntries(Object.entries(audit).map(([figure, value]) => [`${when}, ${figure}`, value]));
}

async function setBudget({ database, workspaceId }: World, perMonth: number): Promise<void> {
  await database.systemPool.query('UPDATE workspaces SET settings = settings || $2::jsonb WHERE id = $1', [
    workspaceId,
    JSON.stringify({ priceList: PRICES, currency: 'EUR', budget: { isEnabled: true, perMonth } }),
  ]);
}

/** Marketing to people of their own, through each number. */
async function enqueueSingles(world: World, numbers: readonly string[]): Promise<void> {
  for (const channelId of numbers)
    for (const contactId of await world.addContacts(SINGLES))
      await inTransaction(world.database.systemPool, (client) =>
        enqueueMessage(client, {
          ...{ id: newId(), workspaceId: world.workspaceId, channelId, contactId, address: null },
          ...{ content: template, text: 'Sale', purpose: 'reply', isMarketing: true, needsWindow: false },
          ...{
            author: { kind: 'bot', id: null, name: 'Bot' },
            key: null,
            at: new Date(),
            giveUpAt: null,
            cause: null,
          },
        }),
      );
}

/** Resolves when all is told and nothing of it sent anybody on: both campaigns wait, and no single message does. */
async function settle(world: World, runNos: number[]): Promise<void> {
  let still = 0;
  await waitUntil('both campaigns wait for the budget', 180_000, async () => {
    await world.quiet();
    const { rows } = await world.database.systemPool.query(
      `SELECT FROM messages WHERE state IN ('queued', 'sending') LIMIT 1`,
    );
    const pauses = await readPauses(world, runNos);
    still = rows.length === 0 && pauses.every((reason) => reason !== null) ? still + 1 : 0;
    await pause(300);
    return still >= 5;
  });
}

async function readPauses({ database }: World, runNos: number[]): Promise<(string | null)[]> {
  const { rows } = await database.systemPool.query<{ reason: string | null }>(
    `SELECT CASE WHEN state = 'paused' THEN pause_reason END AS reason FROM delivery_runs WHERE run_no = ANY($1)`,
    [runNos],
  );
  return rows.map(({ reason }) => reason);
}
