import type { ContactStatus } from '@app/domain/contacts/contact';
import type { CustomValues } from '@app/domain/custom-fields/custom-field';
import type { MergeableContact } from '@app/domain/contact-merges/merge-rules';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

/** A row of `contacts` as JSON, as it is kept for an undo. */
export type KeptRow = {
  id: string;
  name: string;
  phone: string | null;
  platform_user_id: string | null;
  email: string | null;
  /** Missing from rows that were kept before contacts had one. */
  language?: string | null;
  tags: string[];
  status: ContactStatus;
  opted_out_at: string | null;
  last_message: string | null;
  last_message_at: string | null;
  window_expires_at: string | null;
  custom_values: CustomValues;
  version: number;
};

/** Locks the contacts until the transaction ends, in one order for everybody. */
export async function lockContacts(scope: WorkspaceScope, contactIds: readonly string[]): Promise<KeptRow[]> {
  const { rows } = await scope.query<{ row: KeptRow }>(
    `SELECT to_jsonb(c) - 'search_text' AS row FROM contacts c
      WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR UPDATE`,
    [scope.workspaceId, contactIds],
  );
  return rows.map(({ row }) => row);
}

/** Values of custom fields that were deleted meanwhile are left behind. */
export function toMergeable(row: KeptRow, fieldIds: ReadonlySet<string>): MergeableContact {
  return {
    id: row.id,
    name: row.name,
    phone: row.phone,
    platformUserId: row.platform_user_id,
    email: row.email,
    language: row.language ?? null,
    tags: row.tags,
    status: row.status,
    optedOutAt: timeOf(row.opted_out_at),
    lastMessage: row.last_message,
    lastMessageAt: timeOf(row.last_message_at),
    windowExpiresAt: timeOf(row.window_expires_at),
    customValues: Object.fromEntries(
      Object.entries(row.custom_values).filter(([fieldId]) => fieldIds.has(fieldId)),
    ),
  };
}

export function identifiersOf({ phone, platform_user_id: userId }: KeptRow): string[] {
  return [phone, userId].filter((identifier) => identifier !== null);
}

export function timeOf(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}
