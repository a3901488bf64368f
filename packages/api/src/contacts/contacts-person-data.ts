import { applyContactCounts } from '@app/database/contacts/count-contacts';
import { giveConsents } from '@app/database/contacts/change-consent';
import type { Merge, Person, PersonData, Unmerge } from '../platform/person-data/person-data.ts';
import { readAtOnce } from '../platform/person-data/read-section.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import { partConsents } from './part-consents.ts';

/** By the contact that had them. */
type Belongings = { consents: Record<string, string[]>; holds: Record<string, string> };

const byIds = ({ ids }: Person) => [ids];

export const contactsPersonData: PersonData = {
  tables: {
    contacts: {
      section: 'contact',
      read: readAtOnce(
        `SELECT c.id, c.name, c.phone, c.platform_user_id AS "platformUserId", c.email, c.language, c.tags, c.status,
                coalesce((SELECT jsonb_object_agg(f.key, v.value) FROM jsonb_each(c.custom_values) AS v
                            JOIN custom_fields f ON f.id = v.key::uuid), '{}') AS "customFields",
                c.last_message AS "lastMessage", c.last_message_at AS "lastMessageTime", c.window_expires_at AS "windowExpiresAt",
                c.opted_out_at AS "optedOutAt", c.import_id AS "importId", c.created_at AS "createdAt", c.updated_at AS "updatedAt"
           FROM contacts c WHERE c.workspace_id = $1 AND c.id = ANY ($2::uuid[]) ORDER BY c.id`,
        byIds,
      ),
    },
    contact_consents: {
      section: 'consents',
      read: readAtOnce(
        `SELECT kind, source, text, recorded_by AS "recordedBy", sender, occurred_at AS "occurredAt", said_at AS "saidAt",
                recorded_at AS "recordedAt", import_id AS "importId"
           FROM contact_consents WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[]) ORDER BY occurred_at, id`,
        byIds,
      ),
    },
    marketing_holds: {
      section: 'marketingHolds',
      read: readAtOnce(
        'SELECT until FROM marketing_holds WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])',
        byIds,
      ),
    },
    deleted_contacts: {
      section: 'deletedContacts',
      read: readAtOnce(
        `SELECT deleted_at AS "deletedAt", contact - 'search_text' AS contact, messages, consents, hold_until AS "marketingHoldUntil"
           FROM deleted_contacts WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[]) ORDER BY deleted_at`,
        byIds,
      ),
    },
  },
  identify,
  erase,
  merge,
  unmerge: (scope, parted, moved) => unmerge(scope, parted, moved as Partial<Belongings>), // its own, from `merge`
};

/** As it stands or is kept for an undo, and the ids of others that were deleted a short while ago. */
async function identify(scope: ReadScope, { contactId, identifiers }: Person) {
  const { rows: own } = await scope.query<{
    name: string | null;
    phone: string | null;
    userId: string | null;
  }>(
    `SELECT name, phone, platform_user_id AS "userId" FROM contacts WHERE workspace_id = $1 AND id = $2
     UNION ALL SELECT contact->>'name', contact->>'phone', contact->>'platform_user_id' FROM deleted_contacts
                WHERE workspace_id = $1 AND contact_id = $2`,
    [scope.workspaceId, contactId],
  );
  const known = own.flatMap(({ phone, userId }) => [phone, userId]).filter((one) => one !== null);
  const { rows: earlier } = await scope.query<{ id: string }>(
    `SELECT contact_id AS id FROM deleted_contacts k WHERE workspace_id = $1
        AND (contact->>'phone' = ANY ($2::text[]) OR contact->>'platform_user_id' = ANY ($2::text[]))
        AND NOT EXISTS (SELECT FROM contacts c WHERE c.id = k.contact_id)`,
    [scope.workspaceId, [...identifiers, ...known]],
  );
  return {
    ids: earlier.map(({ id }) => id),
    identifiers: known,
    names: own.flatMap(({ name }) => name ?? []),
  };
}

/** Consents and holds go with the contact, and tags that only they had. */
async function erase(scope: WorkspaceScope, { ids, identifiers }: Person): Promise<void> {
  await scope.query('DELETE FROM contacts WHERE workspace_id = $1 AND id = ANY ($2::uuid[])', [
    scope.workspaceId,
    ids,
  ]);
  await scope.query(
    `DELETE FROM deleted_contacts WHERE workspace_id = $1
        AND (contact_id = ANY ($2::uuid[]) OR contact->>'phone' = ANY ($3::text[]) OR contact->>'platform_user_id' = ANY ($3::text[]))`,
    [scope.workspaceId, ids, identifiers],
  );
  await applyContactCounts(scope, scope.workspaceId);
}

async function merge(scope: WorkspaceScope, { survivorId, otherIds }: Merge): Promise<Belongings> {
  const { workspaceId } = scope;
  const { rows: consents } = await scope.query<{ id: string; ids: string[] }>(
    `SELECT contact_id AS id, array_agg(id) AS ids FROM contact_consents
      WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[]) GROUP BY contact_id`,
    [workspaceId, otherIds],
  );
  const { rows: holds } = await scope.query<{ id: string; until: Date }>(
    'SELECT contact_id AS id, until FROM marketing_holds WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])',
    [workspaceId, otherIds],
  );
  await giveConsents(
    scope,
    consents.flatMap(({ ids }) => ids),
    survivorId,
  );
  await scope.query(
    `INSERT INTO marketing_holds (workspace_id, contact_id, until)
     SELECT $1, $2, max(until) FROM marketing_holds WHERE contact_id = ANY ($3::uuid[]) HAVING max(until) IS NOT NULL
     ON CONFLICT (contact_id) DO UPDATE SET until = greatest(marketing_holds.until, excluded.until)`,
    [workspaceId, survivorId, otherIds],
  );
  return {
    consents: Object.fromEntries(consents.map(({ id, ids }) => [id, ids])),
    holds: Object.fromEntries(holds.map(({ id, until }) => [id, until.toISOString()])),
  };
}

/** What was said since is parted by who said it. */
async function unmerge(
  scope: WorkspaceScope,
  parted: Unmerge,
  { consents = {}, holds = {} }: Partial<Belongings>,
): Promise<void> {
  for (const { contactId } of parted.parts) {
    await giveConsents(scope, consents[contactId] ?? [], contactId);
    const until = holds[contactId];
    if (until !== undefined && new Date(until) > scope.clock())
      await scope.query('INSERT INTO marketing_holds (workspace_id, contact_id, until) VALUES ($1, $2, $3)', [
        ...[scope.workspaceId, contactId, until],
      ]);
  }
  await partConsents(scope, parted);
}
