import { settleSla } from '@app/database/conversations/settle-sla';
import { personOf } from '@app/domain/auth/caller';
import {
  conversationLimits,
  isSnoozeTimely,
  type ConversationPriority,
  type ConversationStatus,
} from '@app/domain/conversations/conversation-status';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import { changeConversation, type Missed, type Versioned } from '../change-conversation.ts';
import { findConversation, type Conversation } from '../conversations-queries.ts';
import { keepLabels } from './conversation-labels.ts';

type Wanted = { status: ConversationStatus; snoozedUntil: string | null; label?: string | undefined };

/** Snoozed until a time that is to come, and not in years; any other status needs none. */
export async function setConversationStatus(
  scope: WorkspaceScope,
  { status, snoozedUntil, label, ...of }: Versioned & Wanted,
): Promise<
  | Conversation
  | Missed
  | 'conversation_snooze_invalid'
  | 'conversation_labels_full'
  | 'conversation_labels_many'
> {
  const now = scope.clock();
  if (!isSnoozeTimely(status, snoozedUntil, now.getTime())) return 'conversation_snooze_invalid';
  const until = snoozedUntil === null ? null : new Date(snoozedUntil);
  const labels = label === undefined ? [] : await keepLabels(scope, [label]);
  if (typeof labels === 'string') return labels;
  // What it has is as the caller saw it, or the change is refused below.
  const had = labels.length > 0 ? ((await findConversation(scope, of.conversationId))?.labels ?? []) : [];
  if (new Set([...had, ...labels]).size > conversationLimits.labels) return 'conversation_labels_many';
  const changed = await changeConversation(
    scope,
    of,
    `status = $4::jsonb->>'status', snoozed_until = ($4::jsonb->>'until')::timestamptz,
     labels = labels || ARRAY(SELECT l FROM jsonb_array_elements_text($4::jsonb->'labels') AS l WHERE l <> ALL (labels))`,
    JSON.stringify({ status, until, labels }),
    ({ contactIds, before }) => ({
      type: 'conversation.status_changed',
      subject: of.conversationId,
      values: { contactIds, status, before: before.status, snoozedUntil: until?.toISOString() ?? null },
    }),
  );
  if (typeof changed === 'string') return changed;
  const settled = {
    conversationIds: [of.conversationId],
    begun: new Set<string>(),
    by: personOf(scope.caller),
  };
  await settleSla(scope, { ...settled, now });
  return (await findConversation(scope, of.conversationId)) ?? 'conversation_not_found';
}

export async function setConversationLabels(
  scope: WorkspaceScope,
  { labels: wanted, ...of }: Versioned & { labels: string[] },
): Promise<Conversation | Missed | 'conversation_labels_full'> {
  const labels = await keepLabels(scope, wanted);
  if (typeof labels === 'string') return labels;
  return changeConversation(scope, of, 'labels = $4::text[]', labels, ({ contactIds, before }) => ({
    type: 'conversation.labelled',
    subject: of.conversationId,
    values: {
      ...{ contactIds, labels },
      added: labels.filter((label) => !before.labels.includes(label)),
      removed: before.labels.filter((label) => !labels.includes(label)),
    },
  }));
}

/** Its targets follow: what it ran so far counts. */
export async function setConversationPriority(
  scope: WorkspaceScope,
  { priority, ...of }: Versioned & { priority: ConversationPriority },
): Promise<Conversation | Missed> {
  const changed = await changeConversation(scope, of, 'priority = $4', priority, ({ contactIds, before }) =>
    before.priority === priority
      ? null
      : {
          type: 'conversation.prioritised',
          subject: of.conversationId,
          values: { contactIds, priority, before: before.priority },
        },
  );
  if (typeof changed === 'string') return changed;
  const settled = { conversationIds: [of.conversationId], begun: new Set<string>(), aims: true };
  await settleSla(scope, { ...settled, now: scope.clock() });
  return (await findConversation(scope, of.conversationId)) ?? 'conversation_not_found';
}
