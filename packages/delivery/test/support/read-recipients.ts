import { outcomeCodeSql, outcomeSql } from '@app/database/campaigns/recipient-outcome';
import type { DeliveryScene } from './delivery-scene.ts';

export type ReadRecipient = {
  seq: number;
  address: string;
  outcome: string;
  code: string | null;
  deliveredAt: Date | null;
};

/** All of a run in their order, as people see them. */
export async function readRecipients({ database }: DeliveryScene, runNo: number): Promise<ReadRecipient[]> {
  const { rows } = await database.systemPool.query<ReadRecipient>(
    `SELECT r.seq, r.address, ${outcomeSql} AS outcome, ${outcomeCodeSql} AS code, coalesce(r.delivered_at, r.read_at) AS "deliveredAt"
       FROM delivery_recipients r JOIN delivery_runs run USING (run_no) WHERE r.run_no = $1 ORDER BY r.seq`,
    [runNo],
  );
  return rows;
}
