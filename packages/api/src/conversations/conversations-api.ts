import { conversationsContract } from '@app/contracts/conversations/conversations-contract';
import { endDraft } from '../drafts/drafts-queries.ts';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import {
  archiveConversation,
  markConversation,
  markRead,
  markUnread,
  openConversation,
} from './conversation-actions.ts';
import { conversationViewersApi } from './viewers/conversation-viewers-api.ts';
import { conversationListApi } from './list/conversation-list-api.ts';
import { listConversationsOf } from './conversations-of-contact.ts';
import { conversationNotesApi } from './notes/conversation-notes-api.ts';
import { listByIds, listMessages } from './conversation-messages.ts';
import { listFiles, searchMessages } from './messages/find-in-conversation.ts';
import { findOfConversation } from './messages/timeline-places.ts';
import { decideMessage } from './decide-message.ts';
import { changeScheduled, listScheduled, sendScheduled } from './sending/scheduled-messages.ts';
import { sendInConversation } from './sending/send-in-conversation.ts';
import { tryAgain, withdrawMessage } from './sending/withdraw-message.ts';
import { findConversation } from './conversations-queries.ts';
import { assignConversation } from './teamwork/assign-conversation.ts';
import { listAssignees, setAvailable } from './teamwork/assignees.ts';
import {
  setConversationLabels,
  setConversationPriority,
  setConversationStatus,
} from './teamwork/set-status.ts';

const os = implementEndpoints(conversationsContract);

export const conversationsApi = os.router({
  ...conversationListApi,
  ...conversationNotesApi,
  ...conversationViewersApi,

  listOfContact: os.listOfContact.handler(async ({ input, context, errors }) => {
    const items = await context.read((scope) => listConversationsOf(scope, input.contactId));
    if (!items) throw errors.contact_not_found();
    return { items };
  }),

  get: os.get.handler(async ({ input, context, errors }) => {
    const found = await context.read((scope) => findConversation(scope, input.conversationId));
    if (!found) throw errors.conversation_not_found();
    return found;
  }),

  listMessages: os.listMessages.handler(({ input, context, errors }) =>
    context.read(async (scope) => {
      const { conversationId, limit, cursor, direction, around, ids } = input;
      const of = await findOfConversation(scope, conversationId);
      if (!of) throw errors.conversation_not_found();
      if (ids) return listByIds(scope, of, ids);
      const listed = await listMessages(scope, of, { limit, cursor, direction, around });
      if (listed === 'message_not_found') throw errors.message_not_found();
      return listed;
    }),
  ),

  searchMessages: os.searchMessages.handler(({ input: { conversationId, ...asked }, context, errors }) =>
    context.read(async (scope) => {
      const of = await findOfConversation(scope, conversationId);
      if (!of) throw errors.conversation_not_found();
      return searchMessages(scope, of, { ...asked, cursor: asked.cursor });
    }),
  ),

  listFiles: os.listFiles.handler(({ input: { conversationId, ...asked }, context, errors }) =>
    context.read(async (scope) => {
      const of = await findOfConversation(scope, conversationId);
      if (!of) throw errors.conversation_not_found();
      return listFiles(scope, of, { ...asked, cursor: asked.cursor });
    }),
  ),

  open: os.open.handler(({ input: { contactId, channelId }, context, errors }) =>
    context.change(async (scope) => {
      const opened = await openConversation(scope, { contactId, ...(channelId && { channelId }) });
      if (typeof opened === 'string') throw errors[opened]();
      return opened;
    }),
  ),

  send: os.send.handler(({ input: { writingId, ...input }, context, errors }) =>
    context.change(async (scope) => {
      const { conversationId } = input;
      const sent = await sendInConversation(scope, context, input);
      if ('outcome' in sent) {
        if (sent.code === 'message_too_long')
          throw errors.message_too_long({ data: { values: { n: sent.n } } });
        if (sent.code === 'message_content_invalid')
          throw errors.message_content_invalid({ data: { values: { ...sent.fault } } });
        if (sent.code === 'message_invalid') throw new Error('The contract let an invalid message pass.');
        throw errors[sent.code]();
      }
      if (writingId) await endDraft(scope, { conversationId, kind: 'reply', writingId });
      return sent;
    }),
  ),

  decideUnknown: os.decideUnknown.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const decided = await decideMessage(scope, context, input);
      if (typeof decided === 'string') throw errors[decided]();
      return decided;
    }),
  ),

  listScheduled: os.listScheduled.handler(({ input, context }) =>
    context.read((scope) => listScheduled(scope, input)),
  ),

  changeScheduled: os.changeScheduled.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const changed = await changeScheduled(scope, context, input);
      if (typeof changed === 'string') throw errors[changed]();
      if (!('code' in changed)) return changed;
      if (changed.code === 'message_too_long')
        throw errors.message_too_long({ data: { values: { n: changed.n } } });
      if (changed.code === 'message_content_invalid')
        throw errors.message_content_invalid({ data: { values: { ...changed.fault } } });
      throw errors[changed.code]();
    }),
  ),

  sendScheduled: os.sendScheduled.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const sent = await sendScheduled(scope, context, input);
      if (typeof sent === 'string') throw errors[sent]();
      return sent;
    }),
  ),

  withdraw: os.withdraw.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const withdrawn = await withdrawMessage(scope, input);
      if (typeof withdrawn === 'string') throw errors[withdrawn]();
      return withdrawn;
    }),
  ),

  tryAgain: os.tryAgain.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const sent = await tryAgain(scope, context, input);
      if (typeof sent === 'string') throw errors[sent]();
      return sent;
    }),
  ),

  markRead: os.markRead.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const read = await markRead(scope, context.jobs, input);
      if (typeof read === 'string') throw errors[read]();
      return read;
    }),
  ),

  markUnread: os.markUnread.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const marked = await markUnread(scope, input.conversationId);
      if (typeof marked === 'string') throw errors[marked]();
      return marked;
    }),
  ),

  listAssignees: os.listAssignees.handler(({ context }) => context.read((scope) => listAssignees(scope))),

  setAvailable: os.setAvailable.handler(({ input, context }) =>
    context.change((scope) => setAvailable(scope, input.isAvailable)),
  ),

  assign: os.assign.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const assigned = await assignConversation(scope, input);
      if (typeof assigned === 'string') throw errors[assigned]();
      return assigned;
    }),
  ),

  setStatus: os.setStatus.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const changed = await setConversationStatus(scope, input);
      if (changed === 'conversation_snooze_invalid')
        throw errors.conversation_snooze_invalid({ data: { field: 'snoozedUntil' } });
      if (typeof changed === 'string') throw errors[changed]();
      return changed;
    }),
  ),

  setPriority: os.setPriority.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const changed = await setConversationPriority(scope, input);
      if (typeof changed === 'string') throw errors[changed]();
      return changed;
    }),
  ),

  setLabels: os.setLabels.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const changed = await setConversationLabels(scope, input);
      if (typeof changed === 'string') throw errors[changed]();
      return changed;
    }),
  ),

  setArchived: os.setArchived.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const changed = await archiveConversation(scope, input);
      if (typeof changed === 'string') throw errors[changed]();
      return changed;
    }),
  ),

  mark: os.mark.handler(({ input: { conversationId, isPinned, isMuted }, context, errors }) =>
    context.change(async (scope) => {
      const marked = await markConversation(scope, {
        conversationId,
        ...(isPinned !== undefined && { isPinned }),
        ...(isMuted !== undefined && { isMuted }),
      });
      if (typeof marked === 'string') throw errors[marked]();
      return marked;
    }),
  ),
});
