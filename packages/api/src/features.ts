import { activityFeature } from './activity/activity-feature.ts';
import { analyticsFeature } from './analytics/analytics-feature.ts';
import { apiKeysFeature } from './api-keys/api-keys-feature.ts';
import { authFeature } from './auth/auth-feature.ts';
import { automationFeature } from './automation/automation-feature.ts';
import { bulkMessageFeature } from './bulk-message/bulk-message-feature.ts';
import { campaignsFeature } from './campaigns/campaigns-feature.ts';
import { chatbotFeature } from './chatbot/chatbot-feature.ts';
import { channelsFeature } from './channels/channels-feature.ts';
import { companySignInFeature } from './company-sign-in/company-sign-in-feature.ts';
import { contactImportsFeature } from './contact-imports/contact-imports-feature.ts';
import { contactMergesFeature } from './contact-merges/contact-merges-feature.ts';
import { contactRemovalsFeature } from './contact-removals/contact-removals-feature.ts';
import { contactsFeature } from './contacts/contacts-feature.ts';
import { conversationsFeature } from './conversations/conversations-feature.ts';
import { conversionsFeature } from './conversions/conversions-feature.ts';
import { customFieldsFeature } from './custom-fields/custom-fields-feature.ts';
import { dashboardFeature } from './dashboard/dashboard-feature.ts';
import { draftsFeature } from './drafts/drafts-feature.ts';
import { dataManagementFeature } from './data-management/data-management-feature.ts';
import { deliveryFeature } from './delivery/delivery-feature.ts';
import { integrationsFeature } from './integrations/integrations-feature.ts';
import { landingFeature } from './landing/landing-feature.ts';
import { linksFeature } from './links/links-feature.ts';
import { operationsFeature } from './operations/operations-feature.ts';
import { mediaFeature } from './media/media-feature.ts';
import { messageFilesFeature } from './message-files/message-files-feature.ts';
import { gatherFeatures } from './platform/features/gather-features.ts';
import { notificationsFeature } from './notifications/notifications-feature.ts';
import { passkeysFeature } from './passkeys/passkeys-feature.ts';
import { platformFeature } from './platform/features/platform-feature.ts';
import { profileFeature } from './profile/profile-feature.ts';
import { quickRepliesFeature } from './quick-replies/quick-replies-feature.ts';
import { fallbacksFeature } from './fallbacks/fallbacks-feature.ts';
import { rcsFeature } from './rcs/rcs-feature.ts';
import { segmentsFeature } from './segments/segments-feature.ts';
import { settingsFeature } from './settings/settings-feature.ts';
import { teamsFeature } from './teams/teams-feature.ts';
import { templatesFeature } from './templates/templates-feature.ts';
import { usersFeature } from './users/users-feature.ts';
import { webhookEndpointsFeature } from './webhook-endpoints/webhook-endpoints-feature.ts';
import { webhooksFeature } from './webhooks/webhooks-feature.ts';
import { workspacesFeature } from './workspaces/workspaces-feature.ts';
import { twoFactorFeature } from './two-factor/two-factor-feature.ts';

/** Everything that the server does: one line for each feature, and each says of itself what it has. */
export const { router, listFiles, listFlowEffects, consumers, enqueuedJobs, jobKinds, workers, people } =
  gatherFeatures([
    platformFeature,
    operationsFeature,
    landingFeature,
    authFeature,
    apiKeysFeature,
    dashboardFeature,
    analyticsFeature,
    dataManagementFeature,
    activityFeature,
    contactsFeature,
    contactImportsFeature,
    contactMergesFeature,
    contactRemovalsFeature,
    conversationsFeature,
    messageFilesFeature,
    draftsFeature,
    quickRepliesFeature,
    customFieldsFeature,
    segmentsFeature,
    settingsFeature,
    templatesFeature,
    mediaFeature,
    campaignsFeature,
    bulkMessageFeature,
    fallbacksFeature,
    linksFeature,
    conversionsFeature,
    rcsFeature,
    automationFeature,
    integrationsFeature,
    chatbotFeature,
    channelsFeature,
    deliveryFeature,
    webhooksFeature,
    webhookEndpointsFeature,
    companySignInFeature,
    passkeysFeature,
    profileFeature,
    notificationsFeature,
    teamsFeature,
    usersFeature,
    workspacesFeature,
    twoFactorFeature,
  ]);
