import type { FeatureNeeds } from './feature-needs.ts';

export const conversationsNeeds: FeatureNeeds = {
  endpoints: {
    'messages:read contacts:read': `conversations.search conversations.count conversations.list conversations.get conversations.listMessages
      conversations.listScheduled conversations.mark conversations.pinMany conversations.listNoteVersions
      conversations.listOfContact conversations.listViewers conversations.tellViewing conversations.searchMessages
      conversations.listFiles`,
    'messages:create contacts:read': `conversations.open conversations.send conversations.decideUnknown conversations.changeScheduled
      conversations.sendScheduled conversations.withdraw conversations.tryAgain conversations.addNote conversations.editNote
      conversations.deleteNote conversations.listMentionable drafts.get drafts.save`,
    'messages:update contacts:read': `conversations.change conversations.markRead conversations.assign conversations.setStatus conversations.setLabels
      conversations.setPriority conversations.setArchived conversations.markUnread conversations.listAssignees
      conversations.setAvailable`,
    'messages:update': 'conversationLabels.create messageFiles.fetchAgain',
    'messages:manage': 'inboxSettings.update conversationLabels.update conversationLabels.remove',
    'messages:read': `quickReplies.list quickReplies.get inboxSettings.get conversationLabels.list conversationLabels.countUse
      conversationViews.list conversationViews.create conversationViews.update conversationViews.remove`,
    'messages:create': 'quickReplies.create quickReplies.update quickReplies.remove quickReplies.countUse',
  },
  addresses: {
    'messages:create': [
      'POST /api/conversations/files/:fileId',
      'POST /api/conversations/files/:fileId/thumbnail',
    ],
    'messages:read': [
      'GET /api/conversations/files/:fileId',
      'GET /api/conversations/files/:fileId/thumbnail',
    ],
  },
  keys: {
    endpoints: `conversations.search conversations.list conversations.get conversations.listMessages conversations.open
      conversations.send conversations.listScheduled conversations.changeScheduled conversations.sendScheduled
      conversations.withdraw conversations.tryAgain conversations.listAssignees conversationLabels.list conversations.assign
      conversations.setStatus conversations.setPriority conversations.setLabels conversations.setArchived`,
    addresses: ['GET /api/conversations/files/:fileId', 'POST /api/conversations/files/:fileId'],
  },
};
