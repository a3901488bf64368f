import { containsPattern } from '@app/database/contains-pattern';
import type { Person, PersonData } from '../platform/person-data/person-data.ts';
import { readByTime } from '../platform/person-data/read-section.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

export const webhooksPersonData: PersonData = {
  tables: {
    platform_events: {
      section: 'platformEvents',
      read: readByTime(
        `SELECT occurred_at AS at, id, occurred_at AS "occurredAt", kind, payload AS "asReceived" FROM platform_events
          WHERE workspace_id = $1 AND (payload::text || ' ' || dedup_key) LIKE ANY ($2::text[])
            AND (occurred_at, id) > ($3::timestamptz, $4::uuid)
          ORDER BY at, id LIMIT $5`,
        marksOf,
      ),
    },
  },
  erase,
  merge: null,
  unmerge: null,
};

async function erase(scope: WorkspaceScope, person: Person): Promise<void> {
  const { workspaceId } = scope;
  await scope.query(
    `DELETE FROM platform_events WHERE workspace_id = $1 AND (payload::text || ' ' || dedup_key) LIKE ANY ($2::text[])`,
    [workspaceId, marksOf(person)],
  );
}

/** Events name people by the digits of their number, or by their id. */
function marksOf({ identifiers }: Person): string[] {
  return identifiers.map((identifier) => containsPattern(identifier.replace(/^\+/, '')));
}
