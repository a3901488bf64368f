import type { TableRules } from './table-rules.ts';
import { activityTableRules } from './activity/activity-table-rules.ts';
import { analyticsTableRules } from './analytics/analytics-table-rules.ts';
import { apiKeysTableRules } from './api-keys/api-keys-table-rules.ts';
import { authTableRules } from './auth/auth-table-rules.ts';
import { automationTableRules } from './automation/automation-table-rules.ts';
import { campaignsTableRules } from './campaigns/campaigns-table-rules.ts';
import { channelsTableRules } from './channels/channels-table-rules.ts';
import { chatbotTableRules } from './chatbot/chatbot-table-rules.ts';
import { companySignInTableRules } from './company-sign-in/company-sign-in-table-rules.ts';
import { contactImportsTableRules } from './contact-imports/contact-imports-table-rules.ts';
import { contactMergesTableRules } from './contact-merges/contact-merges-table-rules.ts';
import { contactsTableRules } from './contacts/contacts-table-rules.ts';
import { conversationsTableRules } from './conversations/conversations-table-rules.ts';
import { conversionsTableRules } from './conversions/conversions-table-rules.ts';
import { customFieldsTableRules } from './custom-fields/custom-fields-table-rules.ts';
import { dataManagementTableRules } from './data-management/data-management-table-rules.ts';
import { deliveryTableRules } from './delivery/delivery-table-rules.ts';
import { draftsTableRules } from './drafts/drafts-table-rules.ts';
import { fallbacksTableRules } from './fallbacks/fallbacks-table-rules.ts';
import { integrationsTableRules } from './integrations/integrations-table-rules.ts';
import { landingTableRules } from './landing/landing-table-rules.ts';
import { linksTableRules } from './links/links-table-rules.ts';
import { mediaTableRules } from './media/media-table-rules.ts';
import { messageFilesTableRules } from './message-files/message-files-table-rules.ts';
import { notificationsTableRules } from './notifications/notifications-table-rules.ts';
import { passkeysTableRules } from './passkeys/passkeys-table-rules.ts';
import { platformTableRules } from './platform/platform-table-rules.ts';
import { profileTableRules } from './profile/profile-table-rules.ts';
import { quickRepliesTableRules } from './quick-replies/quick-replies-table-rules.ts';
import { rcsTableRules } from './rcs/rcs-table-rules.ts';
import { segmentsTableRules } from './segments/segments-table-rules.ts';
import { settingsTableRules } from './settings/settings-table-rules.ts';
import { teamsTableRules } from './teams/teams-table-rules.ts';
import { templatesTableRules } from './templates/templates-table-rules.ts';
import { twoFactorTableRules } from './two-factor/two-factor-table-rules.ts';
import { usersTableRules } from './users/users-table-rules.ts';
import { webhookEndpointsTableRules } from './webhook-endpoints/webhook-endpoints-table-rules.ts';
import { webhooksTableRules } from './webhooks/webhooks-table-rules.ts';

/** The rules of all tables, by the feature that has them: one line for each feature. */
export const tableRulesByFeature: Readonly<Record<string, TableRules>> = {
  activity: activityTableRules,
  analytics: analyticsTableRules,
  'api-keys': apiKeysTableRules,
  auth: authTableRules,
  automation: automationTableRules,
  campaigns: campaignsTableRules,
  channels: channelsTableRules,
  chatbot: chatbotTableRules,
  'company-sign-in': companySignInTableRules,
  'contact-imports': contactImportsTableRules,
  'contact-merges': contactMergesTableRules,
  contacts: contactsTableRules,
  conversations: conversationsTableRules,
  conversions: conversionsTableRules,
  'custom-fields': customFieldsTableRules,
  'data-management': dataManagementTableRules,
  delivery: deliveryTableRules,
  drafts: draftsTableRules,
  fallbacks: fallbacksTableRules,
  integrations: integrationsTableRules,
  landing: landingTableRules,
  links: linksTableRules,
  media: mediaTableRules,
  'message-files': messageFilesTableRules,
  notifications: notificationsTableRules,
  passkeys: passkeysTableRules,
  platform: platformTableRules,
  profile: profileTableRules,
  'quick-replies': quickRepliesTableRules,
  rcs: rcsTableRules,
  segments: segmentsTableRules,
  settings: settingsTableRules,
  teams: teamsTableRules,
  templates: templatesTableRules,
  'two-factor': twoFactorTableRules,
  users: usersTableRules,
  'webhook-endpoints': webhookEndpointsTableRules,
  webhooks: webhooksTableRules,
};

/** Every table, with the feature that has it and alone writes it. */
export const tableOwners: ReadonlyMap<string, string> = new Map(
  Object.entries(tableRulesByFeature).flatMap(([feature, rules]) =>
    Object.keys(rules).map((table) => [table, feature] as const),
  ),
);
