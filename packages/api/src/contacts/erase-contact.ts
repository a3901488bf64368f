import { lockIdentifiers, rememberErased, type Fingerprints } from '../platform/erased-people.ts';
import type { PeopleData } from '../platform/person-data/gather-person-data.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

/**
 * Takes everything out of the database that tells who a contact was, feature by feature, and keeps keyed hashes so that the
 * person does not come back. What was sent stays counted, to nobody. False when there is no such contact.
 */
export async function eraseContact(
  scope: WorkspaceScope,
  { people, secrets }: { people: PeopleData; secrets: Fingerprints },
  contactId: string,
): Promise<boolean> {
  const { workspaceId } = scope;
  await people.lock(scope, [contactId]);
  const { rowCount } = await scope.query(
    'SELECT FROM contacts WHERE workspace_id = $1 AND id = $2 FOR UPDATE',
    [workspaceId, contactId],
  );
  if (rowCount === 0) return false;
  const person = await people.identify(scope, contactId);
  const { identifiers } = person;
  await lockIdentifiers(scope, workspaceId, identifiers);
  await rememberErased(scope, secrets, { workspaceId, identifiers });
  await people.erase(scope, person);
  return true;
}

/** The same as what a person asks for: the log says that somebody was erased, and not who. */
export async function eraseAndEmit(
  scope: WorkspaceScope,
  parts: { people: PeopleData; secrets: Fingerprints },
  contactId: string,
): Promise<boolean> {
  const isErased = await eraseContact(scope, parts, contactId);
  if (isErased) await scope.emit({ type: 'contact.erased', subject: null, values: {} });
  return isErased;
}
