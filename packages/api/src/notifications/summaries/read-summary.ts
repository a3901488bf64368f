import { DISCONNECTED } from '@app/domain/channels/disconnected';
import { templatesList } from '@app/contracts/templates/templates-contract';
import { isPermitted } from '@app/domain/auth/is-permitted';
import type { Permission } from '@app/domain/auth/permissions';
import type { Summary, SummaryKind } from '@app/domain/notifications/summary';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import { listTemplates, type TemplateParts } from '../../templates/templates-queries.ts';

/** Whose summary it is, and of which time: the day or week that ended where this day of theirs begins. */
export type SummaryOf = {
  kind: SummaryKind;
  userId: string;
  permissions: readonly Permission[];
  day: string;
  timeZone: string;
};

const DAYS = { daily_summary: 1, weekly_report: 7 } as const;
const MOST_NAMED = 5;
type Times = { before: Date; from: Date; to: Date; next: Date };

/** The figures of somebody, read from counters and from what is open now; nothing that they may not read. */
export async function readSummary(scope: ReadScope, parts: TemplateParts, of: SummaryOf): Promise<Summary> {
  const may = (permission: Permission) => isPermitted(of.permissions, permission);
  const times = await readTimes(scope, of);
  const mayCampaigns = may('campaigns:read');
  const ended = mayCampaigns ? await readEnded(scope, times) : [];
  const chats = may('messages:read') ? await countUnanswered(scope, of.userId) : { own: 0, free: 0 };
  return {
    figures: {
      ...(mayCampaigns && (await readSent(scope, times))),
      ...(may('messages:read') && (await readAnswered(scope, times))),
      ...(may('contacts:read') && (await readContacts(scope, times))),
    },
    ended: ended.slice(0, MOST_NAMED),
    endedCount: ended.length,
    needs: {
      ownUnanswered: chats.own,
      freeUnanswered: may('messages:update') ? chats.free : 0,
      stoppedNumbers: may('campaigns:update')
        ? await readNames(
            scope,
            `SELECT display_name AS name FROM channels WHERE workspace_id = $1 AND stopped_code <> '${DISCONNECTED}' ORDER BY 1`,
          )
        : [],
      rejectedTemplates: may('templates:update') ? await nameRejected(scope, parts) : [],
      pausedCampaigns: mayCampaigns
        ? await readNames(
            scope,
            `SELECT name FROM campaigns_now WHERE workspace_id = $1 AND status = 'paused' AND pause_reason IS NOT NULL
                AND pause_reason <> 'operator' ORDER BY 1`,
          )
        : [],
      dueCampaigns: mayCampaigns ? await readDue(scope, times) : [],
    },
  };
}

async function nameRejected(scope: ReadScope, parts: TemplateParts): Promise<string[]> {
  const { items } = await listTemplates(
    scope,
    parts,
    templatesList.parse({ status: 'rejected', sort: 'name', limit: MOST_NAMED }),
  );
  return items.map(({ name }) => name);
}

/** As the calendar of the person says: a day of 23 hours is a day. */
async function readTimes(scope: ReadScope, { kind, day, timeZone }: SummaryOf): Promise<Times> {
  const { rows } = await scope.query<Times>(
    `SELECT ($1::date - 2 * $2::int)::timestamp AT TIME ZONE $3 AS before, ($1::date - $2::int)::timestamp AT TIME ZONE $3 AS "from",
            $1::date::timestamp AT TIME ZONE $3 AS "to", ($1::date + $2::int)::timestamp AT TIME ZONE $3 AS next`,
    [day, DAYS[kind], timeZone],
  );
  return rows[0]!; // one row of values
}

async function readSent(scope: ReadScope, { before, from, to }: Times) {
  const { rows } = await scope.query<Record<string, string>>(
    `SELECT ${['accepted', 'delivered', 'read', 'refused + failed']
      .map(
        (sum, at) =>
          `coalesce(sum(${sum}) FILTER (WHERE hour >= $3), 0) AS now${at}, coalesce(sum(${sum}) FILTER (WHERE hour < $3), 0) AS before${at}`,
      )
      .join(', ')}
       FROM message_stats_now WHERE workspace_id = $1 AND hour >= $2 AND hour < $4`,
    [scope.workspaceId, before, from, to],
  );
  const [sent, delivered, read, failed] = [0, 1, 2, 3].map((at) => ({
    now: Number(rows[0]?.[`now${at}`]),
    before: Number(rows[0]?.[`before${at}`]),
  }));
  return { sent: sent!, delivered: delivered!, read: read!, failed: failed! };
}

async function readAnswered(scope: ReadScope, { before, from, to }: Times) {
  const { rows } = await scope.query<Record<'now' | 'before' | 'inTime' | 'inTimeBefore', number>>(
    `SELECT count(*) FILTER (WHERE first_answered_at >= $3)::int AS now, count(*) FILTER (WHERE first_answered_at < $3)::int AS before,
            count(*) FILTER (WHERE first_answered_at >= $3 AND is_answered_in_time)::int AS "inTime",
            count(*) FILTER (WHERE first_answered_at < $3 AND is_answered_in_time)::int AS "inTimeBefore"
       FROM conversation_rounds
      WHERE workspace_id = $1 AND opened_at >= $2::timestamptz - interval '7 days' AND opened_at < $4
        AND first_answered_at >= $2 AND first_answered_at < $4`,
    [scope.workspaceId, before, from, to],
  );
  const found = rows[0]!; // an aggregate
  return {
    answered: { now: found.now, before: found.before },
    ...(found.inTime + found.inTimeBefore > 0 && {
      inTime: { now: found.inTime, before: found.inTimeBefore },
    }),
  };
}

async function readContacts(scope: ReadScope, { before, from, to }: Times) {
  const { rows } = await scope.query<{ now: number; before: number }>(
    `SELECT coalesce(sum(contacts) FILTER (WHERE quarter >= $3), 0)::int AS now, coalesce(sum(contacts) FILTER (WHERE quarter < $3), 0)::int AS before
       FROM contact_growth WHERE workspace_id = $1 AND quarter >= $2 AND quarter < $4`,
    [scope.workspaceId, before, from, to],
  );
  return { contacts: rows[0]! }; // an aggregate
}

async function readEnded(scope: ReadScope, { from, to }: Times): Promise<Summary['ended']> {
  const { rows } = await scope.query<Summary['ended'][number]>(
    `SELECT id, name, sent::int AS sent, failed::int AS failed FROM campaigns_now
      WHERE workspace_id = $1 AND completed_at >= $2 AND completed_at < $3 ORDER BY sent DESC, id`,
    [scope.workspaceId, from, to],
  );
  return rows;
}

async function readDue(scope: ReadScope, { next }: Times): Promise<Summary['needs']['dueCampaigns']> {
  const { rows } = await scope.query<{ name: string; at: Date }>(
    `SELECT name, scheduled_at AS at FROM campaigns_now
      WHERE workspace_id = $1 AND status = 'scheduled' AND scheduled_at >= $2 AND scheduled_at < $3 ORDER BY scheduled_at, id LIMIT $4`,
    [scope.workspaceId, scope.clock(), next, MOST_NAMED],
  );
  return rows;
}

async function countUnanswered(scope: ReadScope, userId: string): Promise<{ own: number; free: number }> {
  const { rows } = await scope.query<{ own: number; free: number }>(
    `SELECT count(*) FILTER (WHERE assignee_id = $2)::int AS own, count(*) FILTER (WHERE assignee_id IS NULL)::int AS free
       FROM conversations WHERE workspace_id = $1 AND status = 'open' AND NOT is_archived AND waiting_since IS NOT NULL`,
    [scope.workspaceId, userId],
  );
  return rows[0]!; // an aggregate
}

async function readNames(scope: ReadScope, sql: string): Promise<string[]> {
  const { rows } = await scope.query<{ name: string }>(`${sql} LIMIT ${MOST_NAMED}`, [scope.workspaceId]);
  return rows.map(({ name }) => name);
}
