import type { RecipientFacts } from '@app/domain/delivery/run-message';
import type { ReadScope } from '../platform/workspace-scope.ts';

/** What a message is filled with for this contact; nothing of one that is gone. */
export async function readRecipient(scope: ReadScope, contactId: string): Promise<RecipientFacts> {
  const { rows } = await scope.query<RecipientFacts>(
    `SELECT name, coalesce(phone, '') AS phone, email, custom_values AS "customValues" FROM contacts WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, contactId],
  );
  return rows[0] ?? { name: '', phone: '', email: null };
}
