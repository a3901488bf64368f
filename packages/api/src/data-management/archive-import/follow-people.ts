import { eraseContact } from '../../contacts/erase-contact.ts';
import { findErased } from '../../platform/erased-people.ts';
import {
  suppressContacts,
  suppressDeleted,
  recallSuppressed,
  withWords,
} from '../../platform/suppression-list.ts';
import type { ApiDependencies } from '../../platform/request-context.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';

const AT_ONCE = 1_000;

type Known = { id: string; identifiers: string[] };

/** What was said of marketing by those who go outlives them, and is recalled for those of them who come. */
export async function suppressAllContacts(
  scope: WorkspaceScope,
  secrets: ApiDependencies['secrets'],
): Promise<void> {
  const { workspaceId } = scope;
  const pages = { contacts: 'id', deleted_contacts: 'contact_id' } as const;
  for await (const contactIds of pagesOf(scope, 'contacts', pages.contacts))
    await suppressContacts(scope, secrets, { workspaceId, contactIds });
  for await (const contactIds of pagesOf(scope, 'deleted_contacts', pages.deleted_contacts))
    await suppressDeleted(scope, secrets, { workspaceId, contactIds });
}

/** Those who came: what they said here before holds, and whoever was erased here goes again with all that is theirs. */
export async function followKeptPeople(
  scope: WorkspaceScope,
  parts: Pick<ApiDependencies, 'secrets' | 'people'>,
): Promise<void> {
  const { workspaceId } = scope;
  const hasWords = (await withWords(scope, [workspaceId])).length > 0;
  const { rowCount: erasedBefore } = await scope.query(
    'SELECT FROM erased_people WHERE workspace_id = $1 LIMIT 1',
    [workspaceId],
  );
  if (!hasWords && erasedBefore === 0) return;
  for await (const ids of pagesOf(scope, 'contacts', 'id')) {
    const people = await readKnown(scope, ids);
    const isErased = await findErased(
      scope,
      parts.secrets,
      people.flatMap(({ identifiers }) => identifiers.map((identifier) => ({ workspaceId, identifier }))),
    );
    const erased = people.filter(({ identifiers }) =>
      identifiers.some((identifier) => isErased({ workspaceId, identifier })),
    );
    for (const { id } of erased) await eraseContact(scope, parts, id);
    const gone = new Set(erased.map(({ id }) => id));
    await recallSuppressed(
      scope,
      parts.secrets,
      people
        .filter(({ id }) => !gone.has(id))
        .map(({ id: contactId, identifiers }) => ({ workspaceId, contactId, identifiers })),
    );
  }
}

/** With the numbers by which a merged contact may still write. */
async function readKnown(scope: WorkspaceScope, ids: readonly string[]): Promise<Known[]> {
  const { rows } = await scope.query<Known>(
    `SELECT id, array_remove(ARRAY[phone, platform_user_id]
              || ARRAY(SELECT identifier FROM contact_aliases a WHERE a.contact_id = c.id AND a.workspace_id = $1), NULL) AS identifiers
       FROM contacts c WHERE workspace_id = $1 AND id = ANY ($2::uuid[])`,
    [scope.workspaceId, ids],
  );
  return rows;
}

async function* pagesOf(
  scope: WorkspaceScope,
  table: 'contacts' | 'deleted_contacts',
  column: 'id' | 'contact_id',
): AsyncGenerator<string[]> {
  for (let last = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await scope.query<{ id: string }>(
      `SELECT ${column} AS id FROM ${table} WHERE workspace_id = $1 AND ${column} > $2 ORDER BY ${column} LIMIT ${AT_ONCE}`,
      [scope.workspaceId, last],
    );
    if (rows.length === 0) return;
    last = rows.at(-1)!.id;
    yield rows.map(({ id }) => id);
  }
}
