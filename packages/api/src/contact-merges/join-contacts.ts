import { recountConversations } from '@app/database/conversations/note-messages';
import { newId } from '@app/database/new-id';
import { ownContacts } from '@app/delivery/follow-merges';
import { titleOfKind } from '@app/domain/channel-kinds/kind-list';
import { isStandInName } from '@app/domain/contacts/stand-in-name';
import { keepOpenWindow } from '../contacts/merged-contacts.ts';
import type { PeopleData } from '../platform/person-data/gather-person-data.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { mergeIntoOne } from './merge-contacts.ts';

type Pair = { contactIds: readonly [string, string]; phoneOf?: string };
type Named = {
  id: string;
  version: number;
  name: string;
  phone: string | null;
  userId: string | null;
  window: Date | null;
};

/**
 * Makes one contact of two that the platform says are one person; the first one stays, and people can take it back like any other merge.
 * Answers with the id that stays.
 */
export async function joinContacts(
  scope: WorkspaceScope,
  people: PeopleData,
  { contactIds, phoneOf }: Pair,
): Promise<string> {
  const { workspaceId } = scope;
  const [survivorId] = contactIds;
  await ownContacts(scope, workspaceId);
  const { rows } = await scope.query<Named>(
    `SELECT id, version, name, phone, platform_user_id AS "userId", window_expires_at AS window FROM contacts
      WHERE workspace_id = $1 AND id = ANY ($2::uuid[])`,
    [workspaceId, contactIds],
  );
  const named = rows.find(
    (row) => !isStandInName(row.name, { ...row, username: null }) && row.id === survivorId,
  );
  const nameOf = named ?? rows.find((row) => !isStandInName(row.name, { ...row, username: null }));
  const merged = await mergeIntoOne(scope, people, {
    mergeId: newId(),
    survivorId,
    contacts: rows.map(({ id, version }) => ({ contactId: id, version })),
    picks: { phone: phoneOf, name: nameOf?.id },
    customPicks: {},
    userName: await nameOfPlatform(scope, contactIds),
  });
  if (typeof merged === 'string') throw new Error(`two contacts of one person were not merged: ${merged}`);
  await keepOpenWindow(
    scope,
    survivorId,
    rows.flatMap(({ window }) => window ?? []),
  );
  await recountConversations(scope, workspaceId, [survivorId]);
  return survivorId;
}

/** Shown in the timeline as the one who merged: the kind of channel over which one of them wrote last. */
async function nameOfPlatform({ workspaceId, query }: WorkspaceScope, contactIds: readonly string[]) {
  const { rows } = await query<{ kind: string }>(
    `SELECT ch.kind FROM conversations v JOIN channels ch ON ch.id = v.channel_id
      WHERE v.workspace_id = $1 AND v.contact_id = ANY ($2::uuid[]) ORDER BY v.id DESC LIMIT 1`,
    [workspaceId, contactIds],
  );
  return titleOfKind(rows[0]?.kind);
}
