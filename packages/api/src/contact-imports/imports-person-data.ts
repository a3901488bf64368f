import { phonesOf, type Person, type PersonData } from '../platform/person-data/person-data.ts';
import { readAtOnce } from '../platform/person-data/read-section.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

export const importsPersonData: PersonData = {
  tables: {
    contact_import_changes: {
      section: 'valuesBeforeImports',
      read: readAtOnce(
        `SELECT i.file_name AS "fileName", i.created_at AS "importedAt", h.name, h.email, h.language, h.tags, h.status, h.custom_values AS "customFields"
           FROM contact_import_changes h JOIN contact_imports i ON i.id = h.import_id
          WHERE h.workspace_id = $1 AND h.contact_id = ANY ($2::uuid[]) AND NOT h.is_same ORDER BY i.created_at, h.contact_id`,
        ({ ids }) => [ids],
      ),
    },
    contact_import_errors: {
      section: 'rowsThatWereNotImported',
      read: readAtOnce(
        `SELECT i.file_name AS "fileName", i.created_at AS "importedAt", e.row_number AS "row", e.code AS "problem", e.phone, e.source AS "asInTheFile"
           FROM contact_import_errors e JOIN contact_imports i ON i.id = e.import_id
          WHERE e.workspace_id = $1 AND ${isAbout('e')} ORDER BY i.created_at, e.row_number`,
        marksOf,
      ),
    },
  },
  erase,
  // Both are looked for by every contact that went into one.
  ...{ merge: null, unmerge: null },
};

async function erase(scope: WorkspaceScope, person: Person): Promise<void> {
  await scope.query(
    'DELETE FROM contact_import_changes WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])',
    [scope.workspaceId, person.ids],
  );
  await scope.query(
    `UPDATE contact_import_errors e SET code = 'erased', "values" = '{}', phone = NULL, source = NULL
      WHERE workspace_id = $1 AND ${isAbout('e')}`,
    [scope.workspaceId, ...marksOf(person)],
  );
}

/** Row and reason have the number as the file had it, with whatever stood between the digits. */
function isAbout(row: string): string {
  return `(${row}.phone = ANY ($2::text[])
    OR translate(${row}."values"::text || coalesce(${row}.source, ''), ' ()-./+', '') LIKE ANY ($3::text[]))`;
}

function marksOf(person: Person): [string[], string[]] {
  const phones = phonesOf(person);
  return [phones, phones.map((phone) => `%${phone.replace('+', '')}%`)];
}
