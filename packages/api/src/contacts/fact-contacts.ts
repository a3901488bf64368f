import type { StoredFact } from '../platform/facts/fact-consumer.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';

/** One contact of a fact, with the tags that it got and lost by what the fact reports. */
export type FactContact = {
  contactId: string;
  isNew: boolean;
  addedTags: readonly string[];
  removedTags: readonly string[];
};

type Slice = { contacts: FactContact[]; next: string | null };

/** Contacts of one slice, unless the caller wants fewer. */
const SLICE = 500;

/**
 * The contacts that a fact is about, one slice at a time: `after` is `next` of the slice before, and null begins. A fact names up to
 * some hundred contacts itself. An import is one fact however many contacts it has; they are looked up, so contacts that were
 * deleted since and imports that were undone give none, and a tag that a contact lost since is not among those that it got.
 */
export async function readFactContacts(
  scope: ReadScope,
  fact: StoredFact,
  { after = null, limit = SLICE }: { after?: string | null; limit?: number } = {},
): Promise<Slice> {
  if (fact.type === 'contacts.imported') return readImported(scope, fact, { after, limit });
  const named = contactsNamedBy(fact).toSorted((one, other) => (one.contactId < other.contactId ? -1 : 1));
  const left = named.filter(({ contactId }) => after === null || contactId > after);
  const contacts = left.slice(0, limit);
  return { contacts, next: left.length > limit ? contacts.at(-1)!.contactId : null };
}

function contactsNamedBy({ type, subjectKind, subject, values }: StoredFact): FactContact[] {
  const named = listOf(values['contactIds']);
  const ids = named.length > 0 || subjectKind !== 'contact' || subject === null ? named : [subject];
  const isTagged = type === 'contacts.tags_changed';
  return [...new Set(ids)].map((contactId) => ({
    contactId,
    isNew: type === 'contact.created' || type === 'contacts.created',
    addedTags: isTagged ? listOf(values['added']) : [],
    removedTags: isTagged ? listOf(values['removed']) : [],
  }));
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? (value as string[]) : []; // the catalogue says so
}

type Row = { contact_id: string; is_new: boolean; tags: string[]; is_changed_since: boolean };

/** The places of new contacts come before those of contacts that were there: `new/<id>` and `known/<id>`. */
async function readImported(
  scope: ReadScope,
  fact: StoredFact,
  { after, limit }: { after: string | null; limit: number },
): Promise<Slice> {
  const [part = 'new', id = null] = after?.split('/') ?? [];
  const rows = part === 'new' ? await readNew(scope, fact, id, limit) : [];
  if (rows.length < limit)
    rows.push(...(await readKnown(scope, fact, part === 'known' ? id : null, limit - rows.length)));
  const laterTags = await readLaterTags(scope, fact, rows);
  const contacts = rows.map(({ contact_id: contactId, is_new: isNew, tags }): FactContact => {
    const later = laterTags.get(contactId);
    const addedTags = later ? tags.filter((tag) => !later.has(tag)) : tags;
    return { contactId, isNew, addedTags, removedTags: [] };
  });
  const last = rows.at(-1);
  const isWhole = last === undefined || rows.length < limit;
  return { contacts, next: isWhole ? null : `${last.is_new ? 'new' : 'known'}/${last.contact_id}` };
}

async function readNew(scope: ReadScope, fact: StoredFact, afterId: string | null, limit: number) {
  const { rows } = await scope.query<Row>(
    `SELECT id AS contact_id, true AS is_new, tags, updated_at > $3 AS is_changed_since FROM contacts
      WHERE workspace_id = $1 AND import_id = $2 AND ($4::uuid IS NULL OR id > $4) ORDER BY id LIMIT $5`,
    [scope.workspaceId, fact.subject, fact.occurredAt, afterId, limit],
  );
  return rows;
}

async function readKnown(scope: ReadScope, fact: StoredFact, afterId: string | null, limit: number) {
  const { rows } = await scope.query<Row>(
    `SELECT c.id AS contact_id, false AS is_new, c.updated_at > $3 AS is_changed_since,
            ARRAY(SELECT tag FROM unnest(c.tags) AS tag WHERE lower(tag) NOT IN (SELECT lower(old) FROM unnest(k.tags) AS old)) AS tags
       FROM contact_import_changes k JOIN contacts c ON c.id = k.contact_id AND c.workspace_id = k.workspace_id
      WHERE k.workspace_id = $1 AND k.import_id = $2 AND NOT k.is_same AND ($4::uuid IS NULL OR k.contact_id > $4)
      ORDER BY k.contact_id LIMIT $5`,
    [scope.workspaceId, fact.subject, fact.occurredAt, afterId, limit],
  );
  return rows;
}

/** Tags that these contacts got after the import: they belong to facts of their own. */
async function readLaterTags(
  scope: ReadScope,
  fact: StoredFact,
  rows: readonly Row[],
): Promise<Map<string, Set<string>>> {
  const changed = rows.filter(({ is_changed_since: isChanged }) => isChanged).map((row) => row.contact_id);
  const later = new Map<string, Set<string>>();
  if (changed.length === 0) return later;
  const { rows: found } = await scope.query<{ contact_id: string; added: string[] }>(
    `SELECT i.contact_id, array_agg(DISTINCT a.tag) AS added FROM events e
       CROSS JOIN LATERAL jsonb_array_elements_text(e."values"->'contactIds') AS i (contact_id)
       CROSS JOIN LATERAL jsonb_array_elements_text(e."values"->'added') AS a (tag)
      WHERE e.workspace_id = $1 AND e.id > $2 AND e.type = 'contacts.tags_changed' AND i.contact_id = ANY ($3)
      GROUP BY i.contact_id`,
    [scope.workspaceId, fact.id, changed],
  );
  for (const { contact_id: contactId, added } of found) later.set(contactId, new Set(added));
  return later;
}
