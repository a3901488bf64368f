import { bindTo } from '@app/database/bind-value';
import type { Audience } from '@app/domain/delivery/audience';
import { wakeEngine } from './engine/engine-wake.ts';
import type { SqlClient } from './sql-client.ts';

/** How the recipients of a run get their variants. The order is one of chance and always the same: it follows from the campaign and the contact. */
export type RunSplit = {
  /** Which variant takes which turn (`turnsOf`). Empty for a retry: everybody gets the variant of the campaign that is tried again. */
  turns: readonly number[];
  /** How many take part; the others wait until `releaseRest`. */
  testSize: number | null;
  /** Of everybody who may get it, in percent: they get nothing. */
  holdoutPercent: number;
  /** The templates of the variants from the second on; null for one that is no template. */
  templates: readonly (string | null)[];
};

type Splitting = { campaignId: string; audience: Audience; split?: RunSplit | undefined };

/** In front of the order of contacts of `c`: by chance, of a test. */
export function assignedOrder({ campaignId, split }: Splitting, values: unknown[]): string {
  return split && split.turns.length > 0 ? `${chanceSql(campaignId, values)}, ` : '';
}

/** The variant of `audience`, by its place in the run; null where there is no test. */
export function variantSql({ audience, split }: Splitting, values: unknown[]): string | null {
  if (!split) return null;
  const bind = bindTo(values);
  if (split.turns.length > 0) {
    const turns = bind(split.turns, 'smallint[]');
    const size = bind(split.testSize, 'integer');
    return `CASE WHEN ${size} IS NULL OR seq < ${size} THEN (${turns})[seq % cardinality(${turns}) + 1] END`;
  }
  if (!('failedOf' in audience)) return null;
  const tried = bind(audience.failedOf, 'uuid');
  return `(SELECT coalesce(r.variant, n.winner) FROM delivery_runs n JOIN delivery_recipients r ON r.run_no = n.run_no
    WHERE n.campaign_id = ${tried} AND r.contact_id = audience.id ORDER BY r.seq LIMIT 1)`;
}

/** Behind the conditions on contacts of `c`: not one of those who are held out. */
export function notHeldOutSql({ campaignId, split }: Splitting, values: unknown[]): string {
  if (!split || split.holdoutPercent === 0) return '';
  const held = bindTo(values)(split.holdoutPercent, 'integer');
  return ` AND (${chanceSql(campaignId, values)} & 9223372036854775807) % 100 >= ${held}`;
}

/** A number of chance for each contact of `c`, another one in each campaign. */
function chanceSql(campaignId: string, values: unknown[]): string {
  return `hashtextextended(c.id::text, hashtextextended(${bindTo(values)(campaignId, 'text')}, 0))`;
}

/**
 * Ends the test of a run: who waited for it gets this variant. Within the transaction of the decision; false when it was decided before, or nobody
 * can wait any more. The run goes on if it is not paused or cancelled.
 */
export async function releaseRest(client: SqlClient, runNo: number, variant: number): Promise<boolean> {
  const { rows } = await client.query<{ channel_id: string }>(
    `UPDATE delivery_runs SET winner = $2, claim_upto = NULL WHERE run_no = $1 AND split IS NOT NULL AND winner IS NULL RETURNING channel_id`,
    [runNo, variant],
  );
  if (!rows[0]) return false;
  await wakeEngine(client, rows[0].channel_id);
  return true;
}
