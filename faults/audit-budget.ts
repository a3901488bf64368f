import { parseMessageTag } from '@app/domain/conversations/message-tag';
import { parseDeliveryTag } from '@app/domain/delivery/delivery-tag';
import { inMillionths } from '@app/domain/settings/budget';
import { priceOfNumber, type PriceList } from '@app/domain/settings/price-list';
import { chargeOfMessage, chargeOfRecipient } from '@app/delivery/pace/budget';
import type { World } from './world.ts';

/** Money in the currency of the prices. */
export type BudgetAudit = {
  /** What the platform has taken and did not report as failed. */
  spent: number;
  /** What the product counts in this month. */
  counted: number;
  /** Of it for tries that may have left, and that the platform does not have. */
  inDoubt: number;
  /** People of a campaign, or single messages, that the platform has more than once. */
  doubled: number;
  /** Sent, and not counted. */
  unpaid: number;
  /** Counted, although it did not leave. */
  idle: number;
};

type Entry = { to: string; status: string; biz_opaque_callback_data: string | null };

/** Compares what the platform has taken with what is counted, try by try. */
export async function auditBudget(
  world: Pick<World, 'database' | 'control'>,
  prices: PriceList,
): Promise<BudgetAudit> {
  const pool = world.database.systemPool;
  // First what was spent: what is handed out was counted before.
  const { messages } = (await world.control('GET', 'messages?limit=50000')) as { messages: Entry[] };
  const [single, charges, month, unknown] = await Promise.all([
    pool.query<{ id: string; no: string }>(
      'SELECT id, send_no AS no FROM messages WHERE send_no IS NOT NULL',
    ),
    pool.query<{ ref: string; amount: string }>(
      'SELECT ref, amount FROM budget_charges WHERE given_back_for IS NULL',
    ),
    pool.query<{ used: string }>(
      'SELECT coalesce(sum(used), 0) - (SELECT coalesce(sum(amount), 0) FROM budget_returns) AS used FROM budget_months',
    ),
    pool.query<{ ref: string }>(
      `SELECT 'r' || run_no || '.' || seq || '.' || attempt AS ref FROM delivery_recipients WHERE state = 5
       UNION ALL SELECT 'm' || id || '.' || attempt FROM messages WHERE state = 'unknown'`,
    ),
  ]);
  const idOf = new Map(single.rows.map(({ id, no }) => [Number(no), id]));
  const charged = new Map(charges.rows.map(({ ref, amount }) => [ref, Number(amount)]));
  const mayHaveLeft = new Set(unknown.rows.map(({ ref }) => ref));
  const whose = new Map<string, number>();
  const left = new Set<string>();
  let [spent, unpaid] = [0, 0];
  for (const { to, status, biz_opaque_callback_data: tag } of messages) {
    const recipient = parseDeliveryTag(tag ?? '');
    const message = parseMessageTag(tag ?? '');
    if (!recipient && !message) continue;
    const who = recipient ? `${recipient.runNo}.${recipient.seq}` : `m${message?.no}`;
    whose.set(who, (whose.get(who) ?? 0) + 1);
    if (status === 'failed') continue;
    spent += inMillionths(priceOfNumber(prices, to, 'marketing'));
    const ref = recipient
      ? chargeOfRecipient(recipient.runNo, recipient.seq, recipient.attempt)
      : chargeOfMessage(idOf.get(message?.no ?? 0) ?? '', message?.attempt ?? 0);
    left.add(ref);
    if (!charged.has(ref)) unpaid += 1;
  }
  const idle = [...charged].filter(([ref]) => !left.has(ref));
  const inDoubt = idle.filter(([ref]) => mayHaveLeft.has(ref));
  return {
    spent: spent / 1e6,
    counted: Number(month.rows[0]?.used ?? 0) / 1e6,
    inDoubt: inDoubt.reduce((sum, [, amount]) => sum + amount, 0) / 1e6,
    doubled: [...whose.values()].filter((times) => times > 1).length,
    unpaid,
    idle: idle.length - inDoubt.length,
  };
}
