import type { conversation } from '@app/contracts/conversations/conversation-values';
import { SLA_COLUMNS, readSla, type SlaRow } from '@app/database/conversations/settle-sla';
import { personOf } from '@app/domain/auth/caller';
import type { BotStatus } from '@app/domain/chatbot/bot-state';
import { openDueTargets } from '@app/domain/conversations/teamwork/conversation-sla';
import type { ConversationPriority, ConversationStatus } from '@app/domain/conversations/conversation-status';
import { shownLine, shownMessage, type ShownLine } from '@app/domain/conversations/shown-message';
import { shownState, type MessageState } from '@app/domain/conversations/message-state';
import type { z } from 'zod';
import type { ReadScope } from '../platform/workspace-scope.ts';

export type Conversation = z.infer<typeof conversation>;

export type ConversationRow = SlaRow & {
  id: string;
  contact_id: string;
  contact_name: string;
  contact_phone: string | null;
  contact_has_user_id: boolean;
  contact_status: string;
  contact_tags: string[];
  channel_id: string;
  status: ConversationStatus;
  priority: ConversationPriority;
  snoozed_until: Date | null;
  is_archived: boolean;
  assignee_id: string | null;
  assignee_name: string | null;
  assignee_image: string | null;
  team_id: string | null;
  team_name: string | null;
  labels: string[];
  unread: number;
  pinned_at: Date | null;
  muted_at: Date | null;
  draft: ShownLine | null;
  last_message_id: string | null;
  last_message_type: string | null;
  last_message_direction: 'in' | 'out' | null;
  last_message_at: Date | null;
  last_text: string | null;
  last_content: unknown;
  last_revoked_at: Date | null;
  last_activity_at: Date;
  last_inbound_at: Date | null;
  waiting_since: Date | null;
  window_ends_at: Date | null;
  kept_since: Date | null;
  bot_status: BotStatus | null;
  version: number;
  place: string;
  due_place: string | null;
  state: MessageState | null;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  failed_at: Date | null;
};

export async function findConversation(
  scope: ReadScope,
  conversationId: string,
): Promise<Conversation | null> {
  const { rows } = await scope.query<ConversationRow>({
    name: 'conversations_find',
    text: `SELECT ${COLUMNS} FROM conversations c ${JOINS} WHERE c.workspace_id = $2 AND c.id = $3`,
    values: [personOf(scope.caller), scope.workspaceId, conversationId],
  });
  return rows[0] ? presentConversation(rows[0]) : null;
}

/** Of a conversation `c` with what stands beside it; `$1` is the person who asks. */
export const COLUMNS = `c.id, c.contact_id, k.name AS contact_name, k.phone AS contact_phone, k.platform_user_id IS NOT NULL AS contact_has_user_id, k.status AS contact_status, k.tags AS contact_tags, c.channel_id, c.status, c.priority,
  c.snoozed_until, c.is_archived, c.assignee_id, u.name AS assignee_name, u.image AS assignee_image,
  c.team_id, t.name AS team_name, c.labels, c.unread, a.pinned_at, a.muted_at,
  c.last_message_id, c.last_message_type, c.last_message_direction, c.last_message_at, m.text AS last_text, m.content AS last_content, m.revoked_at AS last_revoked_at,
  c.last_activity_at, c.last_inbound_at, c.waiting_since, c.window_ends_at, c.kept_since, c.bot_state->>'status' AS bot_status, c.version, c.last_activity_at::text AS place, c.next_due_at::text AS due_place,
  m.state, m.sent_at, m.delivered_at, m.read_at, m.failed_at, ${SLA_COLUMNS},
  (SELECT CASE WHEN d.body ~ '\\S' THEN jsonb_build_object('kind', 'text', 'text', left(d.body, 200))
               ELSE jsonb_build_object('kind', d.files->0->>'kind', 'text', left(d.files->0->>'caption', 200)) END
     FROM conversation_drafts d WHERE d.workspace_id = c.workspace_id AND d.user_id = $1::uuid AND d.contact_id = c.contact_id
      AND d.channel_id = c.channel_id AND d.ended_at IS NULL AND (d.body ~ '\\S' OR d.files <> '[]') ORDER BY d.saved_at DESC LIMIT 1) AS draft`;

export const JOINS = `JOIN contacts k ON k.id = c.contact_id
  LEFT JOIN messages m ON m.id = c.last_message_id
  LEFT JOIN users u ON u.id = c.assignee_id
  LEFT JOIN teams t ON t.id = c.team_id
  LEFT JOIN conversation_marks a ON a.user_id = $1::uuid AND a.conversation_id = c.id`;

export function presentConversation(row: ConversationRow): Conversation {
  return {
    id: row.id,
    contact: {
      id: row.contact_id,
      name: row.contact_name,
      phone: row.contact_phone,
      hasUserId: row.contact_has_user_id,
      isBlocked: row.contact_status === 'blocked',
      tags: row.contact_tags,
    },
    channelId: row.channel_id,
    status: row.status,
    priority: row.priority,
    snoozedUntil: row.snoozed_until?.toISOString() ?? null,
    isArchived: row.is_archived,
    assignee:
      row.assignee_id === null
        ? null
        : { id: row.assignee_id, name: row.assignee_name ?? '', avatar: row.assignee_image },
    team: row.team_id === null ? null : { id: row.team_id, name: row.team_name ?? '' },
    labels: row.labels,
    unread: row.unread,
    isPinned: row.pinned_at !== null,
    isMuted: row.muted_at !== null,
    draft: row.draft,
    lastMessage: presentLast(row),
    lastActivityAt: row.last_activity_at.toISOString(),
    waitingSince: row.waiting_since?.toISOString() ?? null,
    lastInboundAt: row.last_inbound_at?.toISOString() ?? null,
    windowEndsAt: row.window_ends_at?.toISOString() ?? null,
    keptSince: row.kept_since?.toISOString() ?? null,
    bot: row.bot_status,
    due: presentDue(row),
    version: row.version,
  };
}

function presentDue(row: ConversationRow): Conversation['due'] {
  // Nobody has to answer who is blocked.
  const [first] = row.contact_status === 'blocked' ? [] : openDueTargets(readSla(row));
  return first
    ? { kind: first.kind, at: new Date(first.at).toISOString(), soonAt: new Date(first.soonAt).toISOString() }
    : null;
}

function presentLast(row: ConversationRow): Conversation['lastMessage'] {
  const { last_message_id: id, last_message_type: type, last_message_direction: direction } = row;
  if (id === null || type === null || direction === null || row.last_message_at === null) return null;
  const isRevoked = row.last_revoked_at !== null;
  const state = direction === 'in' ? null : shownState(row.state, timesOf(row));
  const line: ShownLine = isRevoked
    ? { kind: 'deleted', text: '' }
    : shownLine(shownMessage({ type, text: row.last_text, content: row.last_content }));
  return { id, type, direction, line, at: row.last_message_at.toISOString(), state };
}

type Times = Pick<ConversationRow, 'sent_at' | 'delivered_at' | 'read_at' | 'failed_at'>;

/** The times of reports, as the rules of the domain take them. */
export function timesOf({ sent_at: sent, delivered_at: delivered, read_at: read, failed_at: failed }: Times) {
  return {
    ...(sent && { sent: sent.getTime() }),
    ...(delivered && { delivered: delivered.getTime() }),
    ...(read && { read: read.getTime() }),
    ...(failed && { failed: failed.getTime() }),
  };
}
