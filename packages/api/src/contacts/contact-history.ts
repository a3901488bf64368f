import { givenUpSql } from '@app/database/campaigns/recipient-outcome';
import type { consent, timelineEvent } from '@app/contracts/contacts/contacts-contract';
import { changeConsent } from '@app/database/contacts/change-consent';
import { actorOf } from '@app/domain/auth/caller';
import { mergeLimits } from '@app/domain/contact-merges/merge-rules';
import type { AuditedFactType } from '@app/domain/events/fact-catalogue';
import type { z } from 'zod';
import { sayFact } from '../platform/facts/say-fact.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import { cutPage, readCursor, readTimeCursor, writeCursor } from '../platform/keyset.ts';
import { readContacts } from './add-contacts.ts';
import { findContact, type Contact } from './contacts-queries.ts';

type TimelineEvent = z.infer<typeof timelineEvent>;
type Consent = z.infer<typeof consent>;

/** What the timeline reads of the log; what is not here has a row of its own that says more. */
const changes: AuditedFactType[] = [
  'contact.updated',
  'contact.deleted',
  'contact.restored',
  'contact.unmerged',
];

/** Above every event. */
const START = { at: 'infinity', id: '' };

/** Each source gives its own newest events after the cursor, so that a long history costs no more than a short one. */
export async function listTimeline(
  scope: ReadScope,
  { contactId, limit, cursor }: { contactId: string; limit: number; cursor: string | undefined },
) {
  const after = readPlace(cursor) ?? START;
  const { rows } = await scope.query<{
    id: string;
    kind: TimelineEvent['kind'];
    at: Date;
    place: string;
    text: string | null;
    detail: string | null;
    campaign_id: string | null;
    merge_id: string | null;
    fact_type: string | null;
    values: Record<string, unknown>;
  }>(
    `SELECT event.*, at::text AS place FROM (
       (SELECT 'm' || id AS id, 'message_' || direction AS kind, occurred_at AS at,
               CASE WHEN revoked_at IS NOT NULL THEN '[deleted]' ELSE coalesce(text, '[' || type || ']') END AS text,
               nullif(author, 'contact') AS detail, NULL::uuid AS campaign_id, NULL::uuid AS merge_id, NULL AS fact_type, '{}'::jsonb AS "values"
          FROM messages WHERE workspace_id = $1 AND contact_id = $2 AND target_id IS NULL AND (occurred_at, 'm' || id) < ($3::timestamptz, $4)
         ORDER BY occurred_at DESC, id DESC LIMIT $5)
       UNION ALL
       (SELECT 'n' || n.id, 'note', n.at, n.body, n.author_name, NULL, NULL, NULL, '{}'
          FROM conversations v JOIN conversation_notes n ON n.conversation_id = v.id
         WHERE v.workspace_id = $1 AND v.contact_id = $2 AND n.deleted_at IS NULL AND (n.at, 'n' || n.id) < ($3::timestamptz, $4)
         ORDER BY n.at DESC, n.id DESC LIMIT $5)
       UNION ALL
       (SELECT 's' || w.id, w.kind, w.occurred_at, w.text, CASE WHEN w.source IN ('staff', 'integration') THEN w.recorded_by ELSE w.source END, NULL, NULL,
               CASE WHEN w.source IN ('staff', 'integration') THEN 'contact.consent_recorded' END, jsonb_build_object('name', c.name, 'kind', w.kind)
          FROM contact_consents w JOIN contacts c ON c.id = w.contact_id
         WHERE w.workspace_id = $1 AND w.contact_id = $2 AND (w.occurred_at, 's' || w.id) < ($3::timestamptz, $4)
         ORDER BY w.occurred_at DESC, w.id DESC LIMIT $5)
       UNION ALL
       (SELECT 'r' || r.run_no || '.' || r.seq, 'campaign', coalesce(r.accepted_at, r.failed_at, run.started_at, run.created_at),
               coalesce(k.name, ''),
               CASE WHEN r.read_at IS NOT NULL THEN 'read' WHEN r.delivered_at IS NOT NULL THEN 'delivered'
                    WHEN r.failed_at IS NOT NULL OR r.state = 3 THEN 'failed' WHEN r.state = 2 THEN 'sent'
                    WHEN r.state = 4 OR ${givenUpSql} THEN 'cancelled' WHEN r.state = 5 THEN 'unknown' ELSE 'pending' END, k.id, NULL, NULL, '{}'
          FROM delivery_recipients r JOIN delivery_runs run USING (run_no) LEFT JOIN campaigns k ON k.id = run.campaign_id
         WHERE r.contact_id = $2 AND r.workspace_id = $1
           AND (coalesce(r.accepted_at, r.failed_at, run.started_at, run.created_at), 'r' || r.run_no || '.' || r.seq) < ($3::timestamptz, $4)
         ORDER BY 3 DESC, 1 DESC LIMIT $5)
       UNION ALL
       (SELECT 'g' || g.id, 'merged', g.merged_at, array_to_string(g.names, ', '), g.user_name, NULL,
               CASE WHEN g.before IS NOT NULL AND g.merged_at > $6::timestamptz - interval '${mergeLimits.undoDays} days' THEN g.id END,
               'contact.merged', jsonb_build_object('name', c.name, 'names', to_jsonb(g.names))
          FROM contact_merges g JOIN contacts c ON c.id = g.survivor_id
         WHERE g.workspace_id = $1 AND g.survivor_id = $2 AND g.undone_at IS NULL AND (g.merged_at, 'g' || g.id) < ($3::timestamptz, $4)
         ORDER BY g.merged_at DESC, g.id DESC LIMIT $5)
       UNION ALL
       (SELECT 'f' || id, 'changed', occurred_at, '', user_name, NULL, NULL, fact_type, "values"
          FROM activities WHERE workspace_id = $1 AND subject_id = $2 AND fact_type = ANY ($7::text[])
           AND (occurred_at, 'f' || id) < ($3::timestamptz, $4)
         ORDER BY occurred_at DESC, id DESC LIMIT $5)
       UNION ALL
       (SELECT 'a' || c.id, CASE WHEN c.import_id IS NULL THEN 'added' ELSE 'imported' END, c.created_at,
               coalesce(i.file_name, ''), who.user_name, NULL, NULL,
               CASE WHEN who.user_name IS NOT NULL THEN 'contact.created' END, jsonb_build_object('name', c.name)
          FROM contacts c LEFT JOIN contact_imports i ON i.id = c.import_id
          LEFT JOIN LATERAL (SELECT user_name FROM activities
            WHERE workspace_id = $1 AND subject_id = c.id AND fact_type = 'contact.created' LIMIT 1) AS who ON true
         WHERE c.workspace_id = $1 AND c.id = $2 AND (c.created_at, 'a' || c.id) < ($3::timestamptz, $4))
     ) AS event ORDER BY at DESC, id DESC LIMIT $5`,
    [scope.workspaceId, contactId, after.at, after.id, limit + 1, scope.clock(), changes],
  );
  const { items, nextCursor } = cutPage(rows, limit, ({ place, id }) => ({
    key: `${place}|${id}`,
    id: contactId,
  }));
  return {
    items: items.map(({ id, kind, at, text, detail, ...row }): TimelineEvent => ({
      id,
      kind,
      at: at.toISOString(),
      fact: sayFact(row.fact_type, row.values),
      text: text ?? '',
      detail: kind === 'message_in' || kind === 'message_out' ? null : detail,
      workflowMessageId: kind === 'message_out' && detail === 'automation' ? id.slice(1) : null,
      campaignId: row.campaign_id,
      mergeId: row.merge_id,
    })),
    nextCursor,
  };
}

export async function listConsents(scope: ReadScope, contactId: string): Promise<Consent[]> {
  const { rows } = await scope.query<{
    id: string;
    kind: Consent['kind'];
    source: Consent['source'];
    text: string;
    recorded_by: string | null;
    occurred_at: Date;
  }>(
    `SELECT id, kind, source, text, recorded_by, occurred_at FROM contact_consents
      WHERE workspace_id = $1 AND contact_id = $2 ORDER BY occurred_at DESC, id DESC LIMIT 200`,
    [scope.workspaceId, contactId],
  );
  return rows.map(({ recorded_by: recordedBy, occurred_at: occurredAt, ...row }) => ({
    ...row,
    recordedBy,
    occurredAt: occurredAt.toISOString(),
  }));
}

/** The caller's clock may be a little ahead of ours. */
const CLOCK_SKEW_MS = 60_000;

/** When something was said that is recorded now; null for a time that is yet to come. */
export function readSaidAt(scope: ReadScope, occurredAt: string | undefined): Date | null {
  const now = scope.clock();
  const at = occurredAt ? new Date(occurredAt) : now;
  return at.getTime() > now.getTime() + CLOCK_SKEW_MS ? null : at;
}

/** The newest record decides whether marketing may be sent; an older one that is added later changes nothing of that. */
export async function recordConsent(
  scope: WorkspaceScope,
  {
    contactId,
    kind,
    text,
    occurredAt,
    source = 'staff',
    sender = null,
  }: {
    contactId: string;
    kind: Consent['kind'];
    text: string;
    occurredAt: Date;
    source?: Consent['source'];
    sender?: string | null;
  },
): Promise<Contact | null> {
  if (!(await findContact(scope, contactId))) return null;
  await changeConsent(scope, [
    {
      workspaceId: scope.workspaceId,
      contactId,
      kind,
      source,
      sender,
      text,
      recordedBy: actorOf(scope.caller).name,
      at: occurredAt,
    },
  ]);
  const contact = (await findContact(scope, contactId))!; // it was there above
  const values = { name: contact.name, kind };
  await scope.emit({ type: 'contact.consent_recorded', subject: contactId, values });
  return contact;
}

/** What was said of a contact. */
export type SaidOf = {
  contact: Contact;
  kind: Consent['kind'];
  source: Consent['source'];
  text: string;
  occurredAt: Date;
};

/** The same of several contacts, in one statement each. Answers with them as they are now. */
export async function recordConsents(
  scope: WorkspaceScope,
  said: readonly SaidOf[],
): Promise<Map<string, Contact>> {
  const { workspaceId } = scope;
  const recordedBy = actorOf(scope.caller).name;
  await changeConsent(
    scope,
    said.map(({ contact, occurredAt, ...word }) => ({
      ...{ workspaceId, contactId: contact.id, ...word, recordedBy, at: occurredAt },
    })),
  );
  await scope.emitMany(
    said.map(({ contact: { id, name }, kind }) => ({
      ...{ type: 'contact.consent_recorded' as const, subject: id, values: { name, kind } },
    })),
  );
  return readContacts(
    scope,
    said.map(({ contact }) => contact.id),
  );
}

/** Events have no ids of one kind, so the cursor carries the instant and the event's name in its key. */
function readPlace(cursor: string | undefined): { at: string; id: string } | null {
  const place = readCursor(cursor);
  const [at = '', id = ''] = place?.key.split('|') ?? [];
  if (!place || !/^[afgmnrs][\w.-]+$/.test(id)) return null;
  return readTimeCursor(writeCursor(at, place.id)) ? { at, id } : null;
}
