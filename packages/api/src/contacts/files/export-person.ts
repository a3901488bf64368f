import { isUuid } from '@app/domain/uuid';
import type { ExportSection } from '../../platform/person-data/gather-person-data.ts';
import type { Person } from '../../platform/person-data/person-data.ts';
import type { SignedInContext } from '../../platform/request-context.ts';
import { refuse } from '../../platform/http-edge/refuse.ts';
import { sendDownload } from '../../platform/http-edge/send-download.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';

/**
 * `GET /api/contacts/:contactId/data`: everything that is held about one person, for the person who asks for it. Also of a contact that
 * was merged, or deleted a short while ago. Written section by section while it is downloaded.
 */
export async function exportPerson(contactId: string, context: SignedInContext): Promise<Response> {
  const at = context.clock();
  const person = await context.read('long', async (scope) => {
    const id = isUuid(contactId) ? await findKept(scope, contactId) : null;
    return id && context.people.identify(scope, id);
  });
  if (!person) return refuse('contact_not_found');
  const [name = ''] = person.names;
  await context.change((scope) =>
    scope.emit({ type: 'contact.data_exported', subject: person.contactId, values: { name } }),
  );
  return sendDownload(writeFile(person, at, context), {
    ...{ subject: 'contact-data', at, extension: 'json', type: 'application/json; charset=utf-8' },
  });
}

/** Whose data it is: the contact, the one that it was merged into, or one that can still be restored. */
async function findKept(scope: ReadScope, contactId: string): Promise<string | null> {
  const { rows } = await scope.query<{ id: string }>(
    `SELECT id FROM contacts WHERE workspace_id = $1 AND id = $2
     UNION ALL SELECT contact_id FROM deleted_contacts WHERE workspace_id = $1 AND contact_id = $2
     UNION ALL SELECT survivor_id FROM merged_contacts WHERE workspace_id = $1 AND contact_id = $2 LIMIT 1`,
    [scope.workspaceId, contactId],
  );
  return rows[0]?.id ?? null;
}

async function* writeFile(person: Person, at: Date, context: SignedInContext): AsyncGenerator<string, void> {
  yield `{"version":"1.0","exportDate":${JSON.stringify(at.toISOString())}`;
  for (const section of context.people.sections) yield* writeSection(section, person, context);
  yield '\n}\n';
}

async function* writeSection(
  { section, read }: ExportSection,
  person: Person,
  context: SignedInContext,
): AsyncGenerator<string, void> {
  yield `,\n${JSON.stringify(section)}:[`;
  let after: string | null = null;
  let written = 0;
  do {
    const page = await context.read('long', (scope) => read(scope, person, after));
    yield page.rows
      .map((row, index) => `${written + index === 0 ? '' : ','}\n${JSON.stringify(row)}`)
      .join('');
    written += page.rows.length;
    after = page.next;
  } while (after !== null);
  yield ']';
}
