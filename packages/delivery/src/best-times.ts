import { bindTo } from '@app/database/bind-value';
import { fromFirstRunSql } from '@app/database/campaigns/first-run';
import { PRIOR_EVENTS } from '@app/domain/analytics/contact-best-time';

/** In which hour each recipient of a run leaves, on the clocks of one zone. */
export type BestTimes = {
  zone: string;
  /** The hours in their order: when each begins (milliseconds since 1970), and how much it is worth to contacts without data. */
  slots: readonly { hour: number; at: number; prior: number }[];
  /** Reads and replies since then count. */
  since: Date;
};

/** As a run keeps them until its audience is frozen. */
export type StoredBestTimes = Omit<BestTimes, 'since'> & { since: string };

export function readBestTimes({ since, ...hours }: StoredBestTimes): BestTimes {
  return { ...hours, since: new Date(since) };
}

/** From when on (milliseconds since 1970) the recipients below a place may be claimed. */
export type Gate = { at: number; upto: number };

/**
 * Named parts of a statement, in front of it: `best_slots` has the slot of each contact of whom something is known, by the rule of
 * `chooseTimeSlot`. Answers with them and with the slot of everybody else.
 */
export function bestSlotsSql(
  { zone, slots, since }: BestTimes,
  workspaceId: string,
  values: unknown[],
  /** A query of ids, where few contacts are meant: then the history of the others is not read. */
  few: string | null = null,
): { text: string; usual: number } {
  const bind = bindTo(values);
  const workspace = bind(workspaceId, 'uuid');
  const from = bind(since, 'timestamptz');
  const priors = slots.map(({ prior }) => prior);
  const usual = priors.indexOf(Math.max(...priors));
  const runs = fromFirstRunSql(
    workspace,
    `n.completed_at IS NULL OR greatest(n.completed_at, n.reported_at) >= ${from}`,
  );
  const of = (contact: string) =>
    few === null ? `${contact} IS NOT NULL` : `${contact} = ANY(ARRAY(SELECT id FROM few))`;
  const text = `${few === null ? '' : `few AS MATERIALIZED (${few}), `}slots AS MATERIALIZED (
      SELECT hour, ${PRIOR_EVENTS} * prior AS prior, (place - 1)::smallint AS slot
        FROM unnest(${bind(
          slots.map(({ hour }) => hour),
          'integer[]',
        )}, ${bind(priors, 'float8[]')}) WITH ORDINALITY AS s (hour, prior, place)
    ), own_hours AS MATERIALIZED (
      SELECT o.contact_id, extract(hour FROM e.at AT TIME ZONE ${bind(zone, 'text')})::integer AS hour, count(*) AS events FROM (
        SELECT r.contact_id, r.read_at, r.replied_at FROM delivery_recipients r
         WHERE r.workspace_id = ${workspace} AND r.state = 2 AND ${of('r.contact_id')} AND (r.read_at > ${from} OR r.replied_at > ${from}) AND ${runs}
        UNION ALL
        SELECT m.contact_id, m.read_at, m.replied_at FROM messages m WHERE m.workspace_id = ${workspace} AND m.direction = 'out'
           AND m.state = 'accepted' AND ${of('m.contact_id')} AND (m.read_at > ${from} OR m.replied_at > ${from})) AS o
       CROSS JOIN LATERAL (VALUES (o.read_at), (o.replied_at)) AS e (at) WHERE e.at > ${from} GROUP BY 1, 2
    ), best_slots AS MATERIALIZED (
      SELECT DISTINCT ON (contact_id) contact_id, slot FROM (
        SELECT h.contact_id, s.slot, sum(h.events * k.part) + s.prior AS score FROM own_hours h
          CROSS JOIN (VALUES (-1, 0.25::float8), (0, 0.5), (1, 0.25)) AS k (shift, part)
          JOIN slots s ON s.hour = (h.hour + k.shift + 24) % 24 GROUP BY h.contact_id, s.slot, s.prior
        UNION ALL
        SELECT h.contact_id, s.slot, s.prior FROM (SELECT DISTINCT contact_id FROM own_hours) AS h JOIN slots s ON s.slot = ${usual}) AS scored
       ORDER BY contact_id, score DESC, slot)`;
  return { text, usual };
}

/** From when on so many may be claimed; of slots without anybody nothing is said. */
export function gatesOf({ slots }: BestTimes, reached: readonly { slot: number; upto: number }[]): Gate[] {
  return reached.map(({ slot, upto }) => ({ at: slots[slot]?.at ?? 0, upto }));
}
