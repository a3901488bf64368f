import { automationFeature } from '../features/automation/automation-feature.tsx';
import { analyticsFeature } from '../features/analytics/analytics-feature.tsx';
import { bulkMessageFeature } from '../features/bulk-message/bulk-message-feature.tsx';
import { campaignsFeature } from '../features/campaigns/campaigns-feature.tsx';
import { chatbotFeature } from '../features/chatbot/chatbot-feature.tsx';
import { contactsFeature } from '../features/contacts/contacts-feature.tsx';
import { dashboardFeature } from '../features/dashboard/dashboard-feature.tsx';
import { inboxFeature } from '../features/inbox/inbox-feature.tsx';
import { integrationsFeature } from '../features/integrations/integrations-feature.tsx';
import { profileFeature } from '../features/profile/profile-feature.tsx';
import { quickRepliesFeature } from '../features/quick-replies/quick-replies-feature.tsx';
import { rcsFeature } from '../features/rcs/rcs-feature.tsx';
import { settingsFeature } from '../features/settings/settings-feature.tsx';
import { templatesFeature } from '../features/templates/templates-feature.tsx';
import { usersFeature } from '../features/users/users-feature.tsx';
import { gatherFeatures } from './gather-features.ts';

/** The dashboard's features in the order and the groups of the sidebar. */
export const { routes, navigation } = gatherFeatures([
  [dashboardFeature],
  [inboxFeature, quickRepliesFeature, chatbotFeature],
  [contactsFeature, templatesFeature, campaignsFeature, bulkMessageFeature, rcsFeature],
  [automationFeature, integrationsFeature, analyticsFeature],
  [usersFeature, settingsFeature, profileFeature],
]);
