import {
  dropConsent,
  giveConsents,
  changeConsent,
  settleConsents,
} from '@app/database/contacts/change-consent';
import { findConsentOwners, type ConsentSince } from '@app/domain/contact-merges/merge-rules';
import type { Unmerge } from '../platform/person-data/person-data.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

type Word = ConsentSince & {
  id: string;
  text: string;
  recorded_by: string | null;
  occurred_at: Date;
  said_at: Date | null;
};

/** Gives each contact what was said about its consent since a merge that is undone, and lets the newest word of each decide. */
export async function partConsents(
  scope: WorkspaceScope,
  { survivorId, mergedAt, parts }: Unmerge,
): Promise<void> {
  const { workspaceId } = scope;
  const { rows: words } = await scope.query<Word>(
    `SELECT id, kind, source, sender, text, recorded_by, occurred_at, said_at FROM contact_consents
      WHERE workspace_id = $1 AND contact_id = $2 AND recorded_at >= $3`,
    [workspaceId, survivorId, mergedAt],
  );
  for (const word of words) {
    const owners = findConsentOwners(word, survivorId, parts);
    if (owners.length === 0) await dropConsent(scope, word.id);
    else if (!owners.includes(survivorId)) await giveConsents(scope, [word.id], owners[0]!);
    else
      await changeConsent(
        scope,
        owners
          .filter((contactId) => contactId !== survivorId)
          .map((contactId) => ({
            ...{ workspaceId, contactId, kind: word.kind, source: word.source, text: word.text },
            ...{ recordedBy: word.recorded_by, sender: word.sender },
            ...{ at: word.occurred_at, saidAt: word.said_at },
          })),
      );
  }
  await settleConsents(scope, [survivorId, ...parts.map(({ contactId }) => contactId)]);
}
