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
  tables: {
    conversation_labels: 'names and colours of labels',
    conversation_marks: 'which of staff pinned or muted what; goes with its conversation',
    conversation_rounds:
      'when it was answered and resolved, and how it was rated, for figures; stays without the name of the contact',
    conversation_views: 'filters of the list that staff keep; no contact is named in them',
    inbox_people: 'which of staff wants conversations that are given out',
    inbox_settings: 'how a workspace works in its inbox',
  },
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
