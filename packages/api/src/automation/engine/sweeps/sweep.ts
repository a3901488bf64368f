import { bindTo, type BindValue } from '@app/database/bind-value';
import { countrySql } from '@app/database/analytics/message-events';
import { contactFilterSql } from '@app/database/contacts/contact-filter';
import { segmentSql } from '@app/database/segments/segment-filter';
import type { SqlQueries } from '@app/database/sql-queries';
import { chosenContactsSql } from '@app/delivery/audience-sql';
import { knowAudience } from '@app/delivery/known-audience';
import type { Audience } from '@app/domain/delivery/audience';
import type { Json } from '@app/domain/flows/flow-file';
import { countryZones } from '@app/domain/flows/contact-zone';
import type { ContactsOfZones, MeantDays } from '@app/domain/flows/flow-schedule';
import type { RecipientOutcome } from '@app/domain/campaigns/recipient-outcome';
import type { SegmentRules } from '@app/domain/segments/segment-rules';

/** Which contacts a start for many means, beside the conditions of its trigger. */
export type Swept =
  | { kind: 'all'; contacts?: ContactsOfZones }
  /** One run that has no contact. */
  | { kind: 'nobody' }
  | { kind: 'date'; fieldId: string; days: MeantDays; contacts?: ContactsOfZones }
  | { kind: 'campaign'; campaignId: string; outcome: string }
  | { kind: 'import'; importId: string }
  /** Who got the tag by an import, without those who got one of the others by it. */
  | { kind: 'import_tag'; importId: string; tag: string; others: readonly string[] }
  /** Chosen by a member, who enters them by hand. */
  | { kind: 'audience'; audience: Audience };

export type NewSweep = {
  flowId: string;
  version: number;
  /** Null where a member enters contacts by hand. */
  triggerId: string | null;
  source: string;
  chosen: Swept;
  values: { readonly [name: string]: Json };
  depth: number;
  at: Date;
  dueAt: Date;
};

/** The same source counts once for a trigger. */
export async function addSweeps(
  scope: SqlQueries & { workspaceId: string },
  sweeps: readonly NewSweep[],
): Promise<void> {
  if (sweeps.length === 0) return;
  await scope.query(
    `INSERT INTO flow_sweeps (workspace_id, flow_id, version, trigger_id, source, chosen, "values", depth, at, due_at)
     SELECT $1, g."flowId", g.version, g."triggerId", g.source, g.chosen, g."values", g.depth, g.at, g."dueAt"
       FROM jsonb_to_recordset($2::jsonb) AS g ("flowId" uuid, version integer, "triggerId" text, source text, chosen jsonb, "values" jsonb,
              depth smallint, at timestamptz, "dueAt" timestamptz)
     ON CONFLICT DO NOTHING`,
    [scope.workspaceId, JSON.stringify(sweeps)],
  );
}

/** What became of the recipient: who read a message got it, and it was sent to them. */
const OUTCOMES: Record<string, readonly RecipientOutcome[]> = {
  read: ['read'],
  delivered: ['delivered', 'read'],
  sent: ['sent', 'delivered', 'read'],
  failed: ['failed'],
};

/** The next contacts of a sweep in the order of their ids, after `afterId`. */
export async function findSwept(
  scope: SqlQueries & { workspaceId: string },
  {
    chosen,
    conditions,
    afterId,
    limit,
  }: { chosen: Swept; conditions: SegmentRules | null; afterId: string | null; limit: number },
): Promise<string[]> {
  const { workspaceId } = scope;
  const values: unknown[] = [workspaceId];
  const bind = bindTo(values);
  const named =
    chosen.kind === 'audience'
      ? chosenContactsSql(workspaceId, await knowAudience(scope, workspaceId, chosen.audience), values)
      : chosenSql(chosen, bind, workspaceId);
  const where = [`c.workspace_id = $1`, `c.status <> 'blocked'`, named];
  if ((chosen.kind === 'all' || chosen.kind === 'date') && chosen.contacts)
    where.push(zonesSql(chosen.contacts, bind));
  if (conditions) where.push(segmentSql(conditions, bind, { workspaceId, alias: 'c' }));
  if (afterId !== null) where.push(`c.id > ${bind(afterId, 'uuid')}`);
  const { rows } = await scope.query<{ id: string }>(
    `SELECT c.id FROM contacts c WHERE ${where.join(' AND ')} ORDER BY c.id LIMIT ${bind(limit, 'integer')}`,
    values,
  );
  return rows.map(({ id }) => id);
}

/** By the countries of their numbers; the rest are those whose number tells no zone. */
function zonesSql({ countries, withRest }: ContactsOfZones, bind: BindValue): string {
  const within = (all: Iterable<string>) =>
    `coalesce(${[...all].map((country) => countrySql(country, bind)).join(' OR ') || 'false'}, false)`;
  return withRest ? `(${within(countries)} OR NOT ${within(countryZones.keys())})` : within(countries);
}

function chosenSql(
  chosen: Exclude<Swept, { kind: 'audience' }>,
  bind: BindValue,
  workspaceId: string,
): string {
  switch (chosen.kind) {
    case 'all':
      return 'true';
    case 'nobody':
      return 'false';
    case 'import':
      return `c.import_id = ${bind(chosen.importId, 'uuid')}`;
    case 'import_tag': {
      const importId = bind(chosen.importId, 'uuid');
      const workspace = bind(workspaceId, 'uuid');
      // What a contact had before the import is stored for those that it changed; the others it made.
      const got = (tag: string) => {
        const has = (tags: string) =>
          `EXISTS (SELECT FROM unnest(${tags}) AS one WHERE lower(one) = ${bind(tag.toLowerCase(), 'text')})`;
        return `(${has('c.tags')} AND NOT EXISTS (SELECT FROM contact_import_changes k
          WHERE k.import_id = ${importId} AND k.contact_id = c.id AND ${has('k.tags')}))`;
      };
      const touched = `c.id IN (SELECT id FROM contacts WHERE workspace_id = ${workspace} AND import_id = ${importId}
        UNION ALL SELECT contact_id FROM contact_import_changes WHERE workspace_id = ${workspace} AND import_id = ${importId} AND NOT is_same)`;
      return [touched, got(chosen.tag), ...chosen.others.map((other) => `NOT ${got(other)}`)].join(' AND ');
    }
    case 'campaign': {
      const { campaignId } = chosen;
      const outcomes = OUTCOMES[chosen.outcome] ?? [];
      const each = outcomes.map((outcome) =>
        contactFilterSql({ campaignId, outcome }, bind, { workspaceId }),
      );
      return each.length === 0 ? 'false' : `(${each.join(' OR ')})`;
    }
    default: {
      const value = `c.custom_values ->> ${bind(chosen.fieldId, 'text')}`;
      if ('day' in chosen.days) return `${value} = ${bind(chosen.days.day, 'text')}`;
      const { yearly, until } = chosen.days;
      return `substr(${value}, 6) = ANY (${bind(yearly, 'text[]')}) AND ${value} <= ${bind(until, 'text')}`;
    }
  }
}
