import { automationActions } from '../features/automation/automation-actions.tsx';
import { bulkMessageActions } from '../features/bulk-message/bulk-message-actions.tsx';
import { campaignsActions } from '../features/campaigns/campaigns-actions.tsx';
import { contactsActions } from '../features/contacts/contacts-actions.tsx';
import { quickRepliesActions } from '../features/quick-replies/quick-replies-actions.tsx';
import { templatesActions } from '../features/templates/templates-actions.tsx';
import { usersActions } from '../features/users/users-actions.tsx';
import { gatherActions } from './gather-features.ts';

/** What the features offer to do, in the order of the palette. It loads with the palette or the first key, so the first view does not wait for it. */
export const actions = gatherActions([
  quickRepliesActions,
  contactsActions,
  templatesActions,
  campaignsActions,
  bulkMessageActions,
  automationActions,
  usersActions,
]);
