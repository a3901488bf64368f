import type { CustomValues } from '@app/domain/custom-fields/custom-field';
import type { PromotionCap } from '@app/domain/channels/promotion-cap';
import type { MessageCategory } from '@app/domain/delivery/audience';
import { recipientState, type CancelReason } from '@app/domain/delivery/recipient-state';
import { guardRecipient } from '../core/guard-recipient.ts';
import { windowSql } from '../audience-sql.ts';
import type { SqlClient } from '../sql-client.ts';

/** Both claims have so many values before those of a cap. */
const OWN_VALUES = 6;

/** Proof of who may write for a run: every statement checks it. */
export type Fence = { owner: string; epoch: number };

export type ClaimedRecipient = {
  seq: number;
  /** The number of this try, from 1. */
  attempt: number;
  address: string;
  name: string;
  email: string | null;
  /** Read only for messages that need them. */
  customValues: CustomValues | null;
  /** As it was when the audience was frozen; only of messages in several languages. */
  language: string | null;
  /** Of an A/B test: theirs since the audience was frozen, or the winner; from 0. Null without a test. */
  variant: number | null;
  /** Why it must not leave any more, as known when it was claimed. */
  cancelReason: CancelReason | null;
  /** The day (UTC) whose allowance it takes; null when no limit is counted. */
  day: string | null;
};

/** What a claim has to know of the people besides whom it claims. */
export type ClaimedFacts = {
  category: MessageCategory;
  needsCustomValues: boolean;
  /** The message is there in several languages. */
  needsLanguage?: boolean;
  /** The message is there in several variants. */
  needsVariant?: boolean;
  /** So many marketing messages may reach one person within a week; null: any number. */
  marketingPerWeek?: number | null;
  /** A country's rule for promotional messages through this kind of channel. */
  promotionCap?: PromotionCap | null;
};

/**
 * Hands the recipients [from, upto) to this sender: the cursor moves and commits before anything leaves. `upto` must not
 * exceed a `total` that was read before, else rows frozen a moment ago might be skipped unseen. Null when the run is not
 * ours any more or may not send.
 */
export async function claimSlice(
  client: SqlClient,
  runNo: number,
  fence: Fence,
  {
    from,
    upto,
    now,
    lowWater,
    facts,
  }: { from: number; upto: number; now: number; lowWater: number; facts: ClaimedFacts },
): Promise<ClaimedRecipient[] | null> {
  const { rows } = await client.query<ClaimRow>({
    rowMode: 'array',
    name: `delivery_claim_slice_${facts.category}${facts.needsCustomValues ? '_custom' : ''}${facts.needsLanguage ? '_language' : ''}${facts.needsVariant ? '_variant' : ''}${facts.category === 'marketing' ? capsOf(facts) : ''}`,
    text: `WITH claimed AS (
        UPDATE delivery_runs SET cursor = $5, low_water = $6, state = 'running', started_at = coalesce(started_at, now())
        WHERE run_no = $1 AND owner = $2 AND epoch = $3 AND cursor = $4 AND state IN ('ready', 'running')
          AND (hold_until IS NULL OR hold_until <= clock_timestamp())
        RETURNING run_no
      )
      SELECT r.seq, r.attempt + 1 AS attempt, r.address, ${contactColumns(facts)}
      FROM claimed
      LEFT JOIN delivery_recipients r ON r.run_no = $1 AND r.seq >= $4 AND r.seq < $5 AND r.state = 0
      LEFT JOIN contacts c ON c.id = r.contact_id ${holdJoin(facts)}
      ORDER BY r.seq`,
    values: [runNo, fence.owner, fence.epoch, from, upto, lowWater, ...promotionValues(facts)],
  });
  if (rows.length === 0) return null;
  return toClaimed(rows, facts, now);
}

/** Hands recipients that waited for another try to this sender. Empty when none is due or the run is not ours. */
export async function claimRetries(
  client: SqlClient,
  runNo: number,
  fence: Fence,
  {
    limit,
    now,
    facts,
    except,
  }: { limit: number; now: number; facts: ClaimedFacts; except: readonly number[] },
): Promise<ClaimedRecipient[]> {
  const { rows } = await client.query<ClaimRow>({
    rowMode: 'array',
    text: `WITH fence AS (
       SELECT run_no FROM delivery_runs
       WHERE run_no = $1 AND owner = $2 AND epoch = $3 AND state IN ('ready', 'running') FOR NO KEY UPDATE
     ), due AS (
       SELECT q.seq FROM delivery_retries q, fence
       WHERE q.run_no = $1 AND q.claimed_attempt IS NULL AND q.not_before <= to_timestamp($4::double precision / 1000)
         AND q.seq <> ALL($6::integer[])
       ORDER BY q.not_before, q.seq LIMIT $5
     ), taken AS (
       UPDATE delivery_recipients r SET state = 1, attempt = r.attempt + 1
       WHERE r.run_no = $1 AND r.seq = ANY(ARRAY(SELECT seq FROM due)) AND r.state = 6
       RETURNING r.seq, r.attempt, r.address, r.contact_id, r.language, r.variant
     ), marked AS (
       UPDATE delivery_retries q SET claimed_attempt = (SELECT attempt FROM taken WHERE taken.seq = q.seq)
       WHERE q.run_no = $1 AND q.seq = ANY(ARRAY(SELECT seq FROM taken))
     ), stale AS (
       DELETE FROM delivery_retries q
       WHERE q.run_no = $1 AND q.seq = ANY(ARRAY(SELECT seq FROM due)) AND NOT EXISTS (SELECT FROM taken WHERE taken.seq = q.seq)
     ), started AS (
       UPDATE delivery_runs SET state = 'running', started_at = coalesce(started_at, now())
       WHERE run_no = $1 AND EXISTS (SELECT FROM taken)
     )
     SELECT r.seq, r.attempt, r.address, ${contactColumns(facts)}
     FROM taken r LEFT JOIN contacts c ON c.id = r.contact_id ${holdJoin(facts)}
     ORDER BY r.seq`,
    values: [runNo, fence.owner, fence.epoch, now, limit, except, ...promotionValues(facts)],
  });
  return toClaimed(rows, facts, now);
}

/** Retries that the database counts as handed to this sender. */
export async function readClaimedRetries(
  client: SqlClient,
  runNo: number,
  fence: Fence,
): Promise<{ seq: number; attempt: number }[]> {
  const { rows } = await client.query<{ seq: number; attempt: number }>(
    `SELECT q.seq, q.claimed_attempt AS attempt FROM delivery_retries q JOIN delivery_runs r USING (run_no)
     WHERE q.run_no = $1 AND r.owner = $2 AND r.epoch = $3 AND q.claimed_attempt IS NOT NULL`,
    [runNo, fence.owner, fence.epoch],
  );
  return rows;
}

/**
 * A recipient whose try an earlier sender left in doubt, with what fills the message, as of this moment; null once its outcome is known. The try has
 * its place in the limits already.
 */
export async function readLostRecipient(
  client: SqlClient,
  runNo: number,
  { seq, facts, now }: { seq: number; facts: ClaimedFacts; now: number },
): Promise<ClaimedRecipient | null> {
  const counted = { ...facts, marketingPerWeek: null, promotionCap: null };
  const { rows } = await client.query<ClaimRow>({
    rowMode: 'array',
    text: `SELECT r.seq, r.attempt, r.address, ${contactColumns(counted)}
      FROM delivery_recipients r LEFT JOIN contacts c ON c.id = r.contact_id ${holdJoin(counted)}
      WHERE r.run_no = $1 AND r.seq = $2 AND r.state = ${recipientState.unknown} AND r.error_code = 'sender_lost'`,
    values: [runNo, seq],
  });
  return toClaimed(rows, counted, now)[0] ?? null;
}

/** Whether somebody may have got as much marketing as they may. */
export function isCapped(facts: ClaimedFacts): boolean {
  return facts.category === 'marketing' && capsOf(facts) !== '';
}

/** Names what a claim counts: each has a statement of its own. Names of statements have 63 characters at most. */
function capsOf({ marketingPerWeek = null, promotionCap = null }: ClaimedFacts): string {
  return `${marketingPerWeek === null ? '' : '_cap'}${promotionCap === null ? '' : '_p'}`;
}

/** Only people of the country of the rule are counted. `first` is the number of the first of `promotionValues`. */
function promotionsSql({ category, promotionCap }: ClaimedFacts, first: number): string {
  if (category !== 'marketing' || !promotionCap) return '0';
  return `CASE WHEN starts_with(c.phone, $${first}::text)
    THEN promotions_through(c.workspace_id, c.id, $${first + 1}::text, $${first + 2}::integer, $1, NULL) ELSE 0 END`;
}

function promotionValues({ category, promotionCap }: ClaimedFacts): unknown[] {
  if (category !== 'marketing' || !promotionCap) return [];
  return [promotionCap.prefix, promotionCap.kind, promotionCap.days];
}

function contactColumns(facts: ClaimedFacts): string {
  const { category, needsCustomValues, needsLanguage = false, needsVariant = false } = facts;
  const isWeekly = category === 'marketing' && (facts.marketingPerWeek ?? null) !== null;
  const inWeek = isWeekly ? 'marketing_in_week(c.workspace_id, c.id, $1, NULL)' : '0';
  const held = category === 'marketing' ? 'h.until' : 'NULL::timestamptz';
  const own = [
    ...(needsCustomValues || needsLanguage || needsVariant
      ? [needsCustomValues ? 'c.custom_values' : 'NULL']
      : []),
    ...(needsLanguage || needsVariant ? [needsLanguage ? 'r.language' : 'NULL'] : []),
    ...(needsVariant ? [VARIANT] : []),
  ];
  return [
    `c.id IS NOT NULL AS is_known, c.name, c.email, c.status, c.opted_out_at, ${windowOf(category)}`,
    ...[
      `${held} AS held_until`,
      `${inWeek} AS in_week`,
      `${promotionsSql(facts, OWN_VALUES + 1)} AS promotions`,
      ...own,
    ],
  ].join(', ');
}

/** Who takes part in a test has a variant of their own; who waited for its end gets the winner. */
const VARIANT = 'coalesce(r.variant, (SELECT n.winner FROM delivery_runs n WHERE n.run_no = $1))';

/** Free text leaves within the window of this number. */
function windowOf(category: ClaimedFacts['category']): string {
  if (category !== 'service') return 'c.window_expires_at';
  return windowSql('(SELECT n.channel_id FROM delivery_runs n WHERE n.run_no = $1)');
}

function holdJoin({ category }: ClaimedFacts): string {
  return category === 'marketing' ? 'LEFT JOIN marketing_holds h ON h.contact_id = c.id' : '';
}

/** `seq`, `attempt`, `address` and what `contactColumns` names, in this order. */
type ClaimRow = [
  seq: number | null,
  attempt: number,
  address: string,
  isKnown: boolean,
  name: string | null,
  email: string | null,
  status: string,
  optedOutAt: Date | null,
  windowExpiresAt: Date | null,
  heldUntil: Date | null,
  marketingInWeek: number,
  promotions: number,
  customValues?: CustomValues | null,
  language?: string | null,
  variant?: number | null,
];

function toClaimed(
  rows: readonly ClaimRow[],
  { category, marketingPerWeek = null, promotionCap = null }: ClaimedFacts,
  now: number,
): ClaimedRecipient[] {
  const claimed: ClaimedRecipient[] = [];
  for (const row of rows) {
    const [seq, attempt, address, isKnown, name, email, status, ...standing] = row;
    const [optedOutAt, windowExpiresAt, heldUntil, marketingInWeek, promotions] = standing;
    // A slice without anybody to send to is one row of nothing.
    if (seq === null) continue;
    const contact = isKnown
      ? { status, optedOutAt, windowExpiresAt, heldUntil, marketingInWeek, promotions }
      : null;
    claimed.push({
      seq,
      attempt,
      address,
      name: name ?? '',
      email,
      customValues: row[12] ?? null,
      language: row[13] ?? null,
      variant: row[14] ?? null,
      cancelReason: guardRecipient(contact, category, now, {
        ...{ marketingPerWeek, mostPromotions: promotionCap?.most ?? null },
      }),
      day: null,
    });
  }
  return claimed;
}
