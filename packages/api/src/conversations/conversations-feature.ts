import type { ServerFeature } from '../platform/features/server-feature.ts';
import { conversationsApi } from './conversations-api.ts';
import { conversationsPersonData } from './conversations-person-data.ts';
import { wakeSnoozed } from './wake-snoozed.ts';

export const conversationsFeature = {
  name: 'conversations',
  tables: {
    conversation_marks: 'which of staff pinned or muted what; goes with its conversation',
  },
  router: { conversations: conversationsApi },
  personData: conversationsPersonData,
  upkeep: { often: [wakeSnoozed] },
} satisfies ServerFeature;
