import { takeOutOfImports } from '@app/database/contact-imports/removed-field-values';
import { takeOutOfContacts } from '@app/database/contacts/removed-field-values';
import { sweepEach } from '../platform/jobs/sweep-each.ts';
import { changeAcrossWorkspaces, changeAsSystem, type SystemParts } from '../platform/system-work.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

const AT_ONCE = 5_000;

/**
 * Takes the values of deleted custom fields out of the contacts, some at a time so that nobody waits, and out of the
 * copies that imports keep. Versions stay: nobody sees a difference. Run it now and then; it goes on where it was cut off.
 */
export async function takeOutRemovedValues(parts: SystemParts): Promise<void> {
  const { rows } = await changeAcrossWorkspaces(parts, 'upkeep', ({ client }) =>
    client.query<{ id: string; workspace_id: string }>(
      'SELECT id, workspace_id FROM removed_custom_fields ORDER BY removed_at',
    ),
  );
  await sweepEach(parts, rows, async ({ id, workspace_id: workspaceId }) => {
    const inIt = <Result>(work: (scope: WorkspaceScope) => Promise<Result>) =>
      changeAsSystem(parts, 'upkeep', workspaceId, work);
    while (
      (await inIt((scope) => takeOutOfContacts(scope, { workspaceId, fieldId: id, most: AT_ONCE }))) > 0
    );
    await inIt((scope) => forgetField(scope, id));
  });
}

async function forgetField(scope: WorkspaceScope, fieldId: string): Promise<void> {
  await takeOutOfImports(scope, { workspaceId: scope.workspaceId, fieldId });
  await scope.query(
    `DELETE FROM removed_custom_fields WHERE id = $2 AND removed_at < now() - interval '1 hour' AND NOT EXISTS (
       SELECT FROM contacts WHERE workspace_id = $1 AND custom_values <> '{}' AND custom_values ? $2::text)`,
    [scope.workspaceId, fieldId],
  );
}
