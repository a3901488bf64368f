import type { NotedConversation } from '@app/database/conversations/note-messages';
import type { ReportedMessage } from '@app/delivery/messages/apply-message-statuses';
import type { ConsentWord } from '@app/database/contacts/change-consent';
import type { ScopeOf } from '../platform/system-work.ts';
import type { ContactRef } from './find-contacts.ts';
import type { ArrivedMessage } from './store-messages.ts';

type Inbound = {
  /** People who were not known. */
  created: readonly ContactRef[];
  arrived: readonly ArrivedMessage[];
  noted: readonly NotedConversation[];
  /** Single messages of ours that came further, or failed. */
  reported: readonly ReportedMessage[];
  said: readonly ConsentWord[];
  /** Contacts of which the platform changed something else. */
  changed: readonly ContactRef[];
};

/** Tells what a group of events changed, once for each workspace and kind: most groups bring messages alone. */
export async function emitInbound(
  scopeOf: ScopeOf,
  { created, arrived, noted, reported, said, changed }: Inbound,
): Promise<void> {
  for (const [workspaceId, own] of byWorkspace(created))
    await scopeOf(workspaceId).emit({
      type: 'contacts.created',
      subject: null,
      values: { contactIds: idsOf(own) },
    });
  for (const [workspaceId, own] of byWorkspace(arrived)) {
    const contactIds = idsOf(own);
    const theirs = noted.filter((one) => one.workspaceId === workspaceId);
    const known = new Set(theirs.map(({ contactId }) => contactId));
    const isWhole = contactIds.every((id) => known.has(id));
    const conversationIds = isWhole ? [...new Set(theirs.map((one) => one.conversationId))] : [];
    const messageIds = own.map(({ messageId }) => messageId);
    const values = {
      messageIds,
      buttonIds: own.map(({ buttonId }) => buttonId),
      contactIds,
      conversationIds,
    };
    await scopeOf(workspaceId).emit({ type: 'messages.arrived', subject: null, values });
  }
  const opened = noted.filter(({ isOpened }) => isOpened);
  for (const [workspaceId, own] of byWorkspace(opened)) {
    const conversationIds = own.map(({ conversationId }) => conversationId);
    const values = { conversationIds, contactIds: idsOf(own) };
    await scopeOf(workspaceId).emit({ type: 'conversations.opened', subject: null, values });
  }
  for (const [workspaceId, own] of byWorkspace(reported)) {
    const contactIds = [...new Set(own.flatMap(({ contactId }) => contactId ?? []))];
    const isWhole = own.every(({ conversationId }) => conversationId !== null);
    const conversationIds = isWhole ? [...new Set(own.flatMap((one) => one.conversationId ?? []))] : [];
    const values = { messageIds: own.map(({ id }) => id), contactIds, conversationIds };
    await scopeOf(workspaceId).emit({ type: 'messages.reported', subject: null, values });
    for (const { id, conversationId, contactId, failedNow, isSentNow, cause } of own) {
      const values = { conversationId, contactIds: contactId === null ? [] : [contactId] };
      if (failedNow !== null) {
        const failed = { ...values, code: failedNow };
        await scopeOf(workspaceId, cause).emit({ type: 'message.failed', subject: id, values: failed });
      } else if (isSentNow)
        await scopeOf(workspaceId, cause).emit({ type: 'message.sent', subject: id, values });
    }
  }
  for (const [workspaceId, own] of byWorkspace(said)) {
    const ofKind = (wanted: ConsentWord['kind']) => idsOf(own.filter(({ kind }) => kind === wanted));
    const values = { optedOut: ofKind('opt_out'), optedIn: ofKind('opt_in') };
    await scopeOf(workspaceId).emit({ type: 'consents.said', subject: null, values });
  }
  for (const [workspaceId, own] of byWorkspace(changed)) {
    const values = { contactIds: idsOf(own) };
    await scopeOf(workspaceId).emit({ type: 'contacts.platform_changed', subject: null, values });
  }
}

function byWorkspace<One extends { workspaceId: string }>(all: readonly One[]): Map<string, One[]> {
  return Map.groupBy(all, ({ workspaceId }) => workspaceId);
}

function idsOf(concerned: readonly { contactId: string }[]): string[] {
  return [...new Set(concerned.map(({ contactId }) => contactId))];
}
