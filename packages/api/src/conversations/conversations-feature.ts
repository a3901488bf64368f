import type { ServerFeature } from '../platform/features/server-feature.ts';
import { conversationsApi } from './conversations-api.ts';
import { conversationsPersonData } from './conversations-person-data.ts';
import { pruneMessages } from './prune-messages.ts';
import { showReadToContact, showTypingToContact } from './receipts/show-read.ts';
import { conversationLabelsApi } from './teamwork/conversation-labels-api.ts';
import { askForRatings } from './teamwork/ask-for-ratings.ts';
import { autoAssignConversations } from './teamwork/auto-assign.ts';
import { inboxSettingsApi } from './teamwork/inbox-settings-api.ts';
import { resolveSilent } from './teamwork/resolve-silent.ts';
import { emitSlaDue } from './teamwork/emit-sla-due.ts';
import { conversationViewsApi } from './views/conversation-views-api.ts';
import { wakeSnoozed } from './wake-snoozed.ts';

export const conversationsFeature = {
  name: 'conversations',
  router: {
    conversations: conversationsApi,
    conversationLabels: conversationLabelsApi,
    conversationViews: conversationViewsApi,
    inboxSettings: inboxSettingsApi,
  },
  consumers: [autoAssignConversations, askForRatings],
  jobs: [showReadToContact, showTypingToContact],
  personData: conversationsPersonData,
  upkeep: { often: [wakeSnoozed, emitSlaDue], seldom: [resolveSilent, pruneMessages] },
} satisfies ServerFeature;
