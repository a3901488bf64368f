import { integrationEventsContract } from './integrations/integration-events-contract.ts';
import { integrationsContract } from './integrations/integrations-contract.ts';
import { landingContract } from './landing/landing-contract.ts';
import { reportLinksContract } from './analytics/report-links-contract.ts';
import { reportViewsContract } from './analytics/report-views-contract.ts';
import { analyticsContract } from './analytics/analytics-contract.ts';
import { activityContract } from './activity/activity-contract.ts';
import { apiKeysContract } from './api-keys/api-keys-contract.ts';
import { authContract } from './auth/auth-contract.ts';
import { workflowHooksContract } from './automation/workflow-hooks-contract.ts';
import { workflowRunsContract } from './automation/workflow-runs-contract.ts';
import { workflowSimulationsContract } from './automation/workflow-simulations-contract.ts';
import { workflowsContract } from './automation/workflows-contract.ts';
import { bulkMessageContract } from './bulk-message/bulk-message-contract.ts';
import { campaignsContract } from './campaigns/campaigns-contract.ts';
import { channelAgentsContract } from './channels/channel-agents-contract.ts';
import { channelsContract } from './channels/channels-contract.ts';
import { agentAiContract } from './chatbot/agent-ai-contract.ts';
import { botAiContract } from './chatbot/bot-ai-contract.ts';
import { botKnowledgeContract } from './chatbot/bot-knowledge-contract.ts';
import { chatbotContract } from './chatbot/chatbot-contract.ts';
import { connectionsContract } from './channels/connections-contract.ts';
import { numbersContract } from './channels/numbers-contract.ts';
import { companySignInContract } from './company-sign-in/company-sign-in-contract.ts';
import { contactActsContract } from './contacts/contact-acts-contract.ts';
import { contactLayoutContract } from './contacts/contact-layout-contract.ts';
import { contactImportsContract } from './contact-imports/contact-imports-contract.ts';
import { contactMergesContract } from './contact-merges/contact-merges-contract.ts';
import { dataManagementContract } from './data-management/data-management-contract.ts';
import { contactRemovalsContract } from './contact-removals/contact-removals-contract.ts';
import { contactsContract } from './contacts/contacts-contract.ts';
import { conversationLabelsContract } from './conversations/conversation-labels-contract.ts';
import { conversationViewsContract } from './conversations/conversation-views-contract.ts';
import { conversationsContract } from './conversations/conversations-contract.ts';
import { conversionsContract } from './conversions/conversions-contract.ts';
import { customFieldsContract } from './custom-fields/custom-fields-contract.ts';
import { dashboardContract } from './dashboard/dashboard-contract.ts';
import { draftsContract } from './drafts/drafts-contract.ts';
import { inboxSettingsContract } from './conversations/inbox-settings-contract.ts';
import { operationsContract } from './operations/operations-contract.ts';
import { mediaContract } from './media/media-contract.ts';
import { messageFilesContract } from './message-files/message-files-contract.ts';
import { notificationsContract } from './notifications/notifications-contract.ts';
import { passkeysContract } from './passkeys/passkeys-contract.ts';
import { profileContract } from './profile/profile-contract.ts';
import { quickRepliesContract } from './quick-replies/quick-replies-contract.ts';
import { rcsAnalyticsContract } from './rcs/rcs-analytics-contract.ts';
import { rcsContract } from './rcs/rcs-contract.ts';
import { segmentsContract } from './segments/segments-contract.ts';
import { settingsContract } from './settings/settings-contract.ts';
import { teamsContract } from './teams/teams-contract.ts';
import { templatesContract } from './templates/templates-contract.ts';
import { factorsContract } from './users/factors-contract.ts';
import { invitationsContract } from './users/invitations-contract.ts';
import { rolePermissionsContract } from './users/role-permissions-contract.ts';
import { sessionsContract } from './users/sessions-contract.ts';
import { webhookCallsContract } from './webhooks/webhook-calls-contract.ts';
import { webhookDeliveriesContract } from './webhook-endpoints/webhook-deliveries-contract.ts';
import { webhookEndpointsContract } from './webhook-endpoints/webhook-endpoints-contract.ts';
import { usersContract } from './users/users-contract.ts';
import { workspacesContract } from './workspaces/workspaces-contract.ts';
import { twoFactorContract } from './two-factor/two-factor-contract.ts';

/** Everything that web and server promise each other: one line per feature. */
export const contract = {
  activity: activityContract,
  analytics: analyticsContract,
  reportLinks: reportLinksContract,
  reportViews: reportViewsContract,
  apiKeys: apiKeysContract,
  auth: authContract,
  bulkMessage: bulkMessageContract,
  campaigns: campaignsContract,
  channels: channelsContract,
  channelAgents: channelAgentsContract,
  chatbot: chatbotContract,
  agentAi: agentAiContract,
  botAi: botAiContract,
  botKnowledge: botKnowledgeContract,
  connections: connectionsContract,
  numbers: numbersContract,
  companySignIn: companySignInContract,
  contacts: contactsContract,
  conversions: conversionsContract,
  customFields: customFieldsContract,
  contactActs: contactActsContract,
  contactImports: contactImportsContract,
  contactLayout: contactLayoutContract,
  contactMerges: contactMergesContract,
  contactRemovals: contactRemovalsContract,
  dataManagement: dataManagementContract,
  conversationLabels: conversationLabelsContract,
  conversationViews: conversationViewsContract,
  conversations: conversationsContract,
  dashboard: dashboardContract,
  drafts: draftsContract,
  inboxSettings: inboxSettingsContract,
  integrations: integrationsContract,
  integrationEvents: integrationEventsContract,
  operations: operationsContract,
  media: mediaContract,
  messageFiles: messageFilesContract,
  landing: landingContract,
  notifications: notificationsContract,
  passkeys: passkeysContract,
  profile: profileContract,
  quickReplies: quickRepliesContract,
  rcs: rcsContract,
  rcsAnalytics: rcsAnalyticsContract,
  segments: segmentsContract,
  settings: settingsContract,
  templates: templatesContract,
  teams: teamsContract,
  factors: factorsContract,
  invitations: invitationsContract,
  rolePermissions: rolePermissionsContract,
  sessions: sessionsContract,
  users: usersContract,
  webhookCalls: webhookCallsContract,
  workflowHooks: workflowHooksContract,
  workflowRuns: workflowRunsContract,
  workflowSimulations: workflowSimulationsContract,
  workflows: workflowsContract,
  webhookDeliveries: webhookDeliveriesContract,
  webhookEndpoints: webhookEndpointsContract,
  workspaces: workspacesContract,
  twoFactor: twoFactorContract,
};
