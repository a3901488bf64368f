import { parseDeliveryTag } from '@app/domain/delivery/delivery-tag';
import { recipientState } from '@app/domain/delivery/recipient-state';
import { recountRun } from '@app/delivery/run-progress';
import type { World } from './world.ts';

export type Audit = {
  recipients: number;
  accepted: number;
  /** The platform has it and the product says refused, cancelled or still to be sent; or the other way round. */
  lost: number;
  /** Recipients that the platform accepted more than once. */
  doubled: number;
  /** In doubt although the platform told us that it accepted. */
  unknownButSent: number;
  /** In doubt and never seen by the platform: shown to the operator. */
  unknownNotSent: number;
  /** Runs whose shown figures differ from a recount. */
  miscounted: number;
  /** Recipients whose delivered or read differs from what the platform reported. */
  misreported: number;
};

type LedgerEntry = { biz_opaque_callback_data: string | null; status: string };

/** Compares the platform's ledger, the recipients and the counters. */
export async function auditRuns(world: World, runNos: readonly number[]): Promise<Audit> {
  const ledger = await readLedger(world, new Set(runNos));
  const pool = world.database.systemPool;
  const audit: Audit = {
    recipients: 0,
    accepted: 0,
    lost: 0,
    doubled: 0,
    unknownButSent: 0,
    unknownNotSent: 0,
    miscounted: 0,
    misreported: 0,
  };
  for (const runNo of runNos) {
    const { rows } = await pool.query<{ seq: number; state: number; delivered: boolean; read: boolean }>(
      `SELECT seq, state, coalesce(delivered_at, read_at) IS NOT NULL AS delivered, read_at IS NOT NULL AS read
       FROM delivery_recipients WHERE run_no = $1`,
      [runNo],
    );
    for (const { seq, state, delivered, read } of rows) {
      const entries = ledger.get(`${runNo}.${seq}`) ?? [];
      audit.recipients += 1;
      if (state === recipientState.accepted) audit.accepted += 1;
      if (entries.length > 1) audit.doubled += 1;
      if (state === recipientState.unknown) {
        if (entries.length > 0) audit.unknownButSent += 1;
        else audit.unknownNotSent += 1;
      } else if ((state === recipientState.accepted) !== entries.length > 0) audit.lost += 1;
      const status = entries.at(-1)?.status;
      if (read !== (status === 'read') || delivered !== (status === 'read' || status === 'delivered'))
        audit.misreported += 1;
    }
    const [progress] = await world.progress([runNo]);
    const recounted = await recountRun(pool, runNo);
    if (JSON.stringify(progress?.counters) !== JSON.stringify(recounted)) audit.miscounted += 1;
  }
  return audit;
}

export function isClean(audit: Audit): boolean {
  const { lost, doubled, unknownButSent, miscounted, misreported } = audit;
  return lost + doubled + unknownButSent + miscounted + misreported === 0;
}

async function readLedger(world: World, runNos: ReadonlySet<number>): Promise<Map<string, LedgerEntry[]>> {
  const byRecipient = new Map<string, LedgerEntry[]>();
  let after = '';
  for (;;) {
    const page = (await world.control('GET', `messages?limit=50000${after}`)) as {
      messages: LedgerEntry[];
      next: string | null;
    };
    for (const entry of page.messages) {
      const tag = parseDeliveryTag(entry.biz_opaque_callback_data ?? '');
      if (!tag || !runNos.has(tag.runNo)) continue;
      const key = `${tag.runNo}.${tag.seq}`;
      byRecipient.set(key, [...(byRecipient.get(key) ?? []), entry]);
    }
    if (page.next === null) return byRecipient;
    after = `&after=${page.next}`;
  }
}
