import { advisoryLocks } from '@app/database/advisory-locks';
import type { Audience, MessageCategory } from '@app/domain/delivery/audience';
import type { Cause } from '@app/domain/events/fact-cause';
import { hasLanguages, type RunMessage } from '@app/domain/delivery/run-message';
import { recipientState } from '@app/domain/delivery/recipient-state';
import { chosenContactsSql, leftOutReasonSql, mayReceiveSql } from './audience-sql.ts';
import {
  bestSlotsSql,
  gatesOf,
  readBestTimes,
  type BestTimes,
  type Gate,
  type StoredBestTimes,
} from './best-times.ts';
import { wakeEngine } from './engine/engine-wake.ts';
import { assignedOrder, notHeldOutSql, variantSql, type RunSplit } from './split-run.ts';
import { shareContacts } from './follow-merges.ts';
import { knowAudience, waitForRested, type KnownAudience } from './known-audience.ts';
import type { SqlClient } from './sql-client.ts';

export type StartRunInput = {
  workspaceId: string;
  channelId: string;
  campaignId: string;
  audience: Audience;
  category: MessageCategory;
  message: RunMessage;
  /** What led to the start, where no person began it: what becomes of the run names it. */
  cause?: Cause | null;
  /** For so long nobody claims a recipient, and the start can be taken back; 0 unless said otherwise. */
  holdSeconds?: number;
  /** Of an A/B test: how its variants are assigned. The message holds them. */
  split?: RunSplit | undefined;
  /** In which hour each recipient leaves; without it all leave at once. Not beside `split`. */
  bestTimes?: BestTimes | undefined;
};

export type StartRunResult =
  /** `total` grows until the audience is frozen: see `isFrozen`. */
  | { outcome: 'started'; runNo: number; total: number; isFrozen: boolean; heldUntil: Date | null }
  /** Somebody else started this campaign before; nothing was changed. */
  | { outcome: 'already_started'; runNo: number }
  /** Nobody of the audience may get the message; nothing was stored. */
  | { outcome: 'nobody' };

const LARGE_AUDIENCE = 50_000;
/** The hour of each contact is looked for among all that they ever read, so a request waits for fewer of them. */
const LARGE_AUDIENCE_WITH_HOURS = 5_000;
/** A large audience starts with so many; the engine freezes the others while these leave. */
const LARGE_AUDIENCE_HEAD = 2_000;
/** The partition of a large audience that is frozen in one piece holds everybody. */
const WHOLE = 2_147_483_647;

/**
 * Freezes the audience of a campaign and hands it to the engine. Call it inside a transaction of the system scope, together with
 * the change of the campaign itself; the engine begins when that commits. Any number of simultaneous calls make one run.
 */
export async function startRun(
  client: SqlClient,
  wanted: StartRunInput,
  {
    largeFrom = wanted.bestTimes ? LARGE_AUDIENCE_WITH_HOURS : LARGE_AUDIENCE,
    headSize: sizeOfHead = LARGE_AUDIENCE_HEAD,
  } = {},
): Promise<StartRunResult> {
  await waitForRested(client, wanted.workspaceId, wanted.audience);
  await client.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, ${advisoryLocks.runOfCampaign}))`, [
    wanted.campaignId,
  ]);
  const known = await client.query<{ run_no: string }>(
    'SELECT run_no FROM delivery_runs WHERE campaign_id = $1',
    [wanted.campaignId],
  );
  if (known.rows[0]) return { outcome: 'already_started', runNo: Number(known.rows[0].run_no) };

  await shareContacts(client, wanted.workspaceId);
  const audience = await knowAudience(client, wanted.workspaceId, wanted.audience);
  const input = { ...wanted, audience };
  const isLarge = (await countChosen(client, input, largeFrom)) >= largeFrom;
  // The order of hours is that of the whole audience: the engine freezes it in one piece.
  const isLater = isLarge && wanted.bestTimes !== undefined;
  if (isLater && !(await mayAnyReceive(client, input))) return { outcome: 'nobody' };
  const headSize = isLater ? 0 : sizeOfHead;
  const runNo = await takeRunNumber(client, isLarge, isLarge ? headSize : WHOLE);
  await insertRun(client, runNo, wanted);
  const { total, gates } = isLater
    ? { total: 0, gates: null }
    : await freezeRecipients(client, runNo, input, {
        into: 'delivery_recipients',
        limit: isLarge ? headSize : null,
        frozen: 0,
        keepsLanguage: hasLanguages(input.message),
      });
  if (total === 0 && !isLater) {
    await client.query('DELETE FROM delivery_runs WHERE run_no = $1', [runNo]);
    return { outcome: 'nobody' };
  }
  const isFrozen = !isLarge || total < headSize;
  const excluded = isFrozen
    ? await freezeExcluded(client, runNo, input, { into: 'delivery_recipients', from: total })
    : 0;
  const { rows } = await client.query<{ hold_until: Date | null }>(
    // Held from here on: freezing takes its time, too.
    `UPDATE delivery_runs SET total = $2, excluded = $5, claim_upto = $6, gates = $7, best_times = $8, frozen_at = CASE WHEN $3 THEN now() END,
       audience = CASE WHEN $3 THEN '{}' ELSE audience END,
       hold_until = CASE WHEN $4::integer > 0 THEN clock_timestamp() + make_interval(secs => $4::integer) END WHERE run_no = $1 RETURNING hold_until`,
    [
      ...[runNo, total, isFrozen, input.holdSeconds ?? 0, excluded, input.split?.testSize ?? null],
      gates && JSON.stringify(gates),
      isLater ? JSON.stringify(wanted.bestTimes) : null,
    ],
  );
  await wakeEngine(client, input.channelId);
  return { outcome: 'started', runNo, total, isFrozen, heldUntil: rows[0]?.hold_until ?? null };
}

/**
 * Freezes the part of a large audience that `startRun` left, in one transaction of its own: all of it or nothing.
 * People who were frozen before are recognised by contact and by number. Does nothing when the run is frozen already. One that was
 * cancelled meanwhile is frozen too: everybody whom it does not reach is counted, and has a row that says so.
 */
export async function freezeRest(
  client: SqlClient,
  runNo: number,
  { fewBelow = LARGE_AUDIENCE } = {},
): Promise<void> {
  await client.query(
    `SELECT pg_advisory_xact_lock(${advisoryLocks.restOfRun}, ($1::bigint % 1000000007)::integer)`,
    [runNo],
  );
  const { rows } = await client.query<{
    workspace_id: string;
    channel_id: string;
    category: MessageCategory;
    audience: Audience;
    total: number;
    has_languages: boolean;
    campaign_id: string;
    split: RunSplit | null;
    best_times: StoredBestTimes | null;
  }>(
    `SELECT workspace_id, channel_id, category, audience, total, (message ? 'inLanguages' OR message @? '$.variants[*].inLanguages') AS has_languages, campaign_id, split,
       best_times
     FROM delivery_runs
     WHERE run_no = $1 AND frozen_at IS NULL`,
    [runNo],
  );
  const run = rows[0];
  if (!run) return;
  await shareContacts(client, run.workspace_id);
  const audience = await knowAudience(client, run.workspace_id, run.audience, { before: runNo });
  const into = `delivery_recipients_${runNo}_rest`;
  const receiving: Receiving = {
    ...{ workspaceId: run.workspace_id, channelId: run.channel_id, campaignId: run.campaign_id },
    ...{ category: run.category, audience, split: run.split ?? undefined },
    bestTimes: run.best_times ? readBestTimes(run.best_times) : undefined,
  };
  await client.query('SELECT make_recipients_partition($1)', [into]);
  const { total: added, gates } = await freezeRecipients(client, runNo, receiving, {
    ...{ into, limit: null, frozen: run.total, keepsLanguage: run.has_languages, fewBelow },
  });
  const excluded = await freezeExcluded(client, runNo, receiving, { into, from: run.total + added });
  await client.query('SELECT attach_recipients_partition($1, $2)', [
    into,
    `FROM (${runNo}, ${run.total}) TO (${runNo + 1}, MINVALUE)`,
  ]);
  const { rowCount } = await client.query(
    `UPDATE delivery_runs SET total = total + $2, excluded = $3, gates = coalesce($4, gates), best_times = NULL, frozen_at = now(), audience = '{}'
      WHERE run_no = $1 AND frozen_at IS NULL`,
    [runNo, added, excluded, gates && JSON.stringify(gates)],
  );
  if (rowCount !== 1) throw new Error(`Run ${runNo} was closed while its audience was being frozen`);
}

type Receiving = Pick<
  StartRunInput,
  'workspaceId' | 'channelId' | 'campaignId' | 'category' | 'split' | 'bestTimes'
> & {
  audience: KnownAudience;
};

/** Up to `limit`, whether or not they may receive: it only decides where their rows are kept. */
async function countChosen(client: SqlClient, input: Receiving, limit: number): Promise<number> {
  const values: unknown[] = [];
  const chosen = chosenContactsSql(input.workspaceId, input.audience, values);
  const { rows } = await client.query<{ count: string }>(
    `SELECT count(*) FROM (SELECT FROM contacts c WHERE ${chosen} LIMIT $${values.push(limit)}) AS chosen`,
    values,
  );
  return Number(rows[0]?.count ?? 0);
}

async function mayAnyReceive(client: SqlClient, input: Receiving): Promise<boolean> {
  const values: unknown[] = [];
  const chosen = chosenContactsSql(input.workspaceId, input.audience, values);
  const { rowCount } = await client.query(
    `SELECT FROM contacts c WHERE ${chosen} AND ${mayReceiveSql(input, values)} LIMIT 1`,
    values,
  );
  return rowCount === 1;
}

async function takeRunNumber(client: SqlClient, isLarge: boolean, headSize: number): Promise<number> {
  const { rows } = await client.query<{ run_no: string }>(`SELECT nextval($1::regclass) AS run_no`, [
    isLarge ? 'delivery_run_large' : 'delivery_run_small',
  ]);
  const runNo = Number(rows[0]?.run_no);
  await client.query('SELECT ensure_delivery_partition($1, $2)', [runNo, headSize]);
  return runNo;
}

async function insertRun(client: SqlClient, runNo: number, input: StartRunInput): Promise<void> {
  await client.query(
    `INSERT INTO delivery_runs (run_no, workspace_id, channel_id, campaign_id, message, category, audience, retry_of, cause, split, variant_templates)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      runNo,
      input.workspaceId,
      input.channelId,
      input.campaignId,
      JSON.stringify(input.message),
      input.category,
      JSON.stringify(input.audience),
      'failedOf' in input.audience ? input.audience.failedOf : null,
      input.cause ? JSON.stringify(input.cause) : null,
      input.split ? JSON.stringify(input.split) : null,
      input.split?.templates ?? null,
    ],
  );
}

/**
 * Who is in a run, in what language where it is sent in several, and with which variant where it is a test. In order of contact ids, so that
 * indexes grow at their right edge; a test in an order of chance. Numbers are unique within a workspace.
 */
async function freezeRecipients(
  client: SqlClient,
  runNo: number,
  input: Receiving,
  {
    into,
    limit,
    frozen,
    keepsLanguage,
    fewBelow = LARGE_AUDIENCE,
  }: { into: string; limit: number | null; frozen: number; keepsLanguage: boolean; fewBelow?: number },
): Promise<{ total: number; gates: Gate[] | null }> {
  const values: unknown[] = [runNo, frozen, limit];
  const chosen = chosenContactsSql(input.workspaceId, input.audience, values);
  const mayReceive = mayReceiveSql(input, values);
  const isNew =
    frozen === 0
      ? ''
      : `AND c.id NOT IN (SELECT contact_id FROM delivery_recipients WHERE run_no = $1 AND seq < $2)
         AND c.phone NOT IN (SELECT address FROM delivery_recipients WHERE run_no = $1 AND seq < $2)`;
  const order = assignedOrder(input, values);
  const variant = variantSql(input, values);
  const columns = [...(keepsLanguage ? ['language'] : []), ...(variant ? ['variant'] : [])];
  const isFew = input.bestTimes && (await countChosen(client, input, fewBelow)) < fewBelow;
  const few = isFew ? `SELECT c.id FROM contacts c WHERE ${chosen} AND ${mayReceive}` : null;
  const best = input.bestTimes && bestSlotsSql(input.bestTimes, input.workspaceId, values, few);
  const audience = `SELECT ($2::integer + row_number() OVER () - 1)::integer AS seq, chosen.*
     FROM (SELECT c.workspace_id, c.id, c.phone${keepsLanguage ? ', c.language' : ''}${best ? `, coalesce(b.slot, ${best.usual}) AS slot` : ''}
       FROM contacts c${best ? ' LEFT JOIN best_slots b ON b.contact_id = c.id' : ''}
      WHERE ${chosen} AND ${mayReceive}${notHeldOutSql(input, values)} ${isNew}
      ORDER BY ${best ? 'slot, ' : order}c.id LIMIT $3::integer) AS chosen`;
  const insert = `INSERT INTO ${into} (run_no, seq, workspace_id, contact_id, address${columns.map((name) => `, ${name}`).join('')})
     SELECT $1::bigint, seq, workspace_id, id, phone${keepsLanguage ? ', language' : ''}${variant ? `, ${variant}` : ''} FROM `;
  if (!best || !input.bestTimes) {
    const { rowCount } = await client.query(`${insert}(${audience}) AS audience`, values);
    return { total: rowCount ?? 0, gates: null };
  }
  const { rows } = await client.query<{ slot: number; upto: number }>(
    `WITH ${best.text}, audience AS MATERIALIZED (${audience}), added AS (${insert}audience)
     SELECT slot::integer AS slot, (max(seq) + 1)::integer AS upto FROM audience GROUP BY slot ORDER BY slot`,
    values,
  );
  return { total: rows.at(-1)?.upto ?? 0, gates: gatesOf(input.bestTimes, rows) };
}

/**
 * Who was chosen and may not get it has a row, too, with the reason: behind the others (`from`), where nothing is ever claimed. `total` does not
 * count them, `excluded` does.
 */
async function freezeExcluded(
  client: SqlClient,
  runNo: number,
  input: Receiving,
  { into, from }: { into: string; from: number },
): Promise<number> {
  const values: unknown[] = [runNo, from];
  const chosen = chosenContactsSql(input.workspaceId, input.audience, values);
  const mayReceive = mayReceiveSql(input, values);
  const isIn = `${mayReceive}${notHeldOutSql(input, values)}`;
  const { rowCount } = await client.query(
    `INSERT INTO ${into} (run_no, seq, workspace_id, contact_id, address, state, error_code, failed_at)
     SELECT $1::bigint, ($2::integer + row_number() OVER () - 1)::integer, workspace_id, id, address, ${recipientState.cancelled}, reason, now()
     FROM (SELECT c.workspace_id, c.id, coalesce(c.phone, c.platform_user_id, '') AS address, CASE WHEN ${mayReceive} THEN 'held_out' ELSE ${leftOutReasonSql(input.category)} END AS reason
       FROM contacts c WHERE ${chosen} AND (${isIn}) IS NOT TRUE
         AND NOT EXISTS (SELECT FROM delivery_recipients r WHERE r.run_no = $1 AND r.contact_id = c.id)${
           into === 'delivery_recipients'
             ? ''
             : `
         AND NOT EXISTS (SELECT FROM ${into} r WHERE r.run_no = $1 AND r.contact_id = c.id)`
         }
       ORDER BY c.id) AS excluded`,
    values,
  );
  return rowCount ?? 0;
}
