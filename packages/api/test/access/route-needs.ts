/**
 * Who may call what, written from the specification and not from the contract: first what is needed, then every endpoint that
 * needs it. A route without a place here fails the test.
 */
const needs: Record<string, string> = {
  nobody: 'auth.getSession auth.getSignInHints landing.sendEnquiry',
  'signed in': `activity.list activity.getSummary activity.recordView activity.listOnline activity.setPresence
    apiKeys.listOwn apiKeys.create apiKeys.rename apiKeys.revoke
    channels.list dashboard.getOverview dashboard.getHealth dashboard.getAttention dashboard.getGettingStarted
    companySignIn.get companySignIn.beginLink companySignIn.beginReauthentication companySignIn.unlink
    operations.list operations.get operations.cancel operations.dismiss operations.dismissAll
    passkeys.list passkeys.beginAdding passkeys.add passkeys.remove
    profile.get profile.update profile.updatePreferences profile.setLanguage profile.setTheme profile.setLoginAlerts profile.removeAvatar
    profile.changePassword profile.confirmPassword profile.listSessions profile.endSession profile.endOtherSessions
    profile.changeEmail profile.withdrawEmail profile.getNotificationChoices profile.updateNotificationChoices
    profile.setStartHidden
    notifications.list notifications.summarize notifications.markRead notifications.markAllRead
    notifications.listBrowsers notifications.addBrowser notifications.changeBrowser notifications.removeBrowser notifications.testBrowser
    workspaces.list workspaces.create workspaces.leave
    twoFactor.get twoFactor.begin twoFactor.enable twoFactor.disable twoFactor.makeRecoveryCodes`,

  // The team says who decides in it; that is asked behind this.
  'users:read': `users.list users.summarize users.get sessions.list invitations.list rolePermissions.get
    teams.list teams.get teams.update teams.remove teams.addMember teams.setMember teams.removeMember`,
  'analytics:read': `analytics.getSummary analytics.getVolume analytics.getStatuses analytics.getCampaigns analytics.getTemplates
    analytics.getBestTime analytics.getFailures analytics.getInbox analytics.getAudience analytics.getResults analytics.getTemplateHealth analytics.getAutomation analytics.getChoices analytics.getFilters rcsAnalytics.getAnalytics reportViews.list reportViews.save reportViews.setMail reportViews.remove notifications.mailView`,
  'analytics:read contacts:read': 'conversions.list',
  'analytics:read campaigns:update': 'reportLinks.list reportLinks.create reportLinks.remove',
  'users:create': 'invitations.create invitations.sendAgain invitations.revoke',
  'users:update': `users.update users.activate users.deactivate sessions.end sessions.endAllOf teams.create`,
  'users:delete': 'users.remove',
  'settings:manage users:delete': 'dataManagement.startForReal dataManagement.previewStart',
  'contacts:read contacts:export': 'contacts.startExport',
  'campaigns:read contacts:read contacts:export': 'campaigns.exportResults',
  'settings:manage contacts:read templates:read campaigns:read': 'dataManagement.startExport',
  'settings:manage contacts:read templates:read campaigns:read messages:read':
    'dataManagement.startArchive dataManagement.checkArchive',
  'settings:manage contacts:create contacts:delete messages:read templates:create templates:delete campaigns:create campaigns:delete':
    'dataManagement.replaceByArchive dataManagement.undoArchive',
  'settings:manage contacts:update contacts:delete templates:delete campaigns:delete':
    'dataManagement.undoImport',
  'users:manage': 'rolePermissions.update twoFactor.require factors.get factors.reset users.changeEmail',

  'contacts:read': `contacts.list contacts.summarize contacts.count contacts.getHomeCountry contacts.listTags contacts.get contacts.listConsents
    contactActs.countOptedOut contactLayout.get contactLayout.save contactMerges.listDuplicates customFields.list integrations.listItemsOfContact segments.list segments.count segments.get`,
  'contacts:read messages:read': 'contacts.listTimeline analytics.getContactBestTime',
  'contacts:create': `contacts.create segments.create contactImports.list contactImports.get contactImports.listErrors contactImports.listReasons
    contactImports.readStart contactImports.readNumbers`,
  'contacts:update': `conversions.record contacts.update contacts.bulkEdit contacts.recordConsent contactActs.recordConsents contactActs.edit contactMerges.setDistinct
    segments.update`,
  'contacts:create contacts:update': 'contactActs.saveAsSegment',
  'contacts:delete': `contacts.remove contacts.restore contacts.erase contactRemovals.start contactRemovals.undo
    segments.remove`,
  'contacts:update contacts:delete': 'contactImports.undo contactMerges.merge contactMerges.undo',
  'contacts:update templates:update':
    'customFields.create customFields.update customFields.reorder customFields.getUsage',
  'contacts:update contacts:delete templates:update': 'customFields.remove',

  'campaigns:update contacts:read':
    'workflowSimulations.start workflowRuns.cancel workflowHooks.list workflowHooks.listAll workflowHooks.listCalls workflowHooks.set workflowHooks.renew',
  'campaigns:update contacts:read messages:create':
    'workflowRuns.enrol workflowRuns.skipWait workflowRuns.retry workflowRuns.test',
  'campaigns:read':
    'campaigns.list campaigns.summarize campaigns.get campaigns.preflight campaigns.preflightRetry campaigns.preflightRest campaigns.countReasons campaigns.listContents campaigns.countReachable campaigns.planTest campaigns.getTest rcs.list rcs.get workflows.list workflows.get workflows.check workflows.save workflows.remove workflows.listVersions workflows.getVersion workflowRuns.countSteps workflowRuns.countByDay chatbot.listFlows chatbot.deleteFlow conversions.getSettings conversions.getCampaign',
  'campaigns:read contacts:read': `campaigns.countAudience campaigns.findInAudience campaigns.listRecipients
    bulkMessage.preview workflowRuns.list workflowRuns.get workflowRuns.explain workflowRuns.findOrigin workflowRuns.listOfContact
    workflowRuns.previewEnrolment workflowSimulations.get workflowSimulations.listContacts`,
  'campaigns:create':
    'campaigns.create rcs.create workflows.create workflows.duplicate chatbot.createFlow chatbot.importFlow botKnowledge.create botKnowledge.createFromAddress',
  'campaigns:update':
    'campaigns.update rcs.update campaigns.pause campaigns.cancel workflows.publish workflows.pause workflows.activate chatbot.updateFlow chatbot.orderFlows botKnowledge.update botKnowledge.readAgain',
  'campaigns:delete': 'campaigns.remove rcs.remove botKnowledge.remove',
  // What sends asks for messages as well.
  'campaigns:create messages:create': 'bulkMessage.send campaigns.sendTest campaigns.retryFailed',
  'campaigns:update messages:create':
    'campaigns.start campaigns.resume campaigns.chooseVariant campaigns.resolveUnknown chatbot.updateSettings chatbot.setFlowActive',

  'messages:read contacts:read': `conversations.search conversations.count
    conversations.list conversations.get conversations.listMessages conversations.listScheduled conversations.mark conversations.pinMany
    conversations.listNoteVersions conversations.listOfContact conversations.listViewers conversations.tellViewing
    conversations.searchMessages conversations.listFiles chatbot.listConversations chatbot.getConversation chatbot.listAnswers
    chatbot.getAnalytics`,
  'messages:create contacts:read': `conversations.open conversations.send conversations.decideUnknown
    conversations.changeScheduled conversations.sendScheduled conversations.withdraw conversations.tryAgain
    conversations.addNote conversations.editNote conversations.deleteNote conversations.listMentionable
    drafts.get drafts.save agentAi.write`,
  'messages:update contacts:read': `conversations.change conversations.markRead conversations.assign conversations.setStatus
    conversations.setLabels conversations.setPriority conversations.setArchived conversations.markUnread conversations.listAssignees
    conversations.setAvailable chatbot.setStatus`,
  'messages:update': 'conversationLabels.create messageFiles.fetchAgain',
  'messages:manage': 'inboxSettings.update conversationLabels.update conversationLabels.remove',
  'messages:read': `chatbot.getSettings botAi.get botKnowledge.list botKnowledge.search quickReplies.list quickReplies.get inboxSettings.get conversationLabels.list conversationLabels.countUse
    conversationViews.list conversationViews.create conversationViews.update conversationViews.remove`,
  'messages:create': `campaigns.takeBack quickReplies.create quickReplies.update quickReplies.remove quickReplies.countUse
    media.startUpload media.getUpload media.cancelUpload`,

  'templates:read': 'templates.list templates.summarize templates.get media.list media.get',
  'templates:create': 'templates.create',
  'templates:update': 'templates.update templates.submit templates.sync',
  'templates:read settings:read': 'templates.listAccount templates.getSync',
  'templates:create settings:read': 'templates.importFromAccount',
  'templates:delete': 'templates.remove media.remove',

  'settings:read': `webhookEndpoints.list webhookEndpoints.listEventTypes webhookEndpoints.get webhookDeliveries.list webhookDeliveries.get
    integrations.list integrations.get integrations.listFields integrations.listRuns
    integrationEvents.get integrationEvents.listTargets integrationEvents.listDeliveries
    apiKeys.listAll settings.getGeneral settings.getMessaging settings.getProfileState settings.getUsage
    settings.getNumberProfile settings.getNoticeDefaults dataManagement.getRetention dataManagement.listArchives
    connections.list connections.getSubscription webhookCalls.list numbers.list
    channelAgents.get channelAgents.listTestDevices`,
  'settings:read contacts:read':
    'integrations.listErrors integrations.listHeld integrationEvents.listSamples',
  'settings:update': 'channels.resume conversions.updateSettings',
  'settings:manage': `webhookEndpoints.create webhookEndpoints.update webhookEndpoints.setPaused webhookEndpoints.getSecret
    webhookEndpoints.rotateSecret webhookEndpoints.remove webhookDeliveries.sendTest webhookDeliveries.resend webhookDeliveries.previewResend webhookDeliveries.resendMany
    integrations.connect integrations.beginConsent integrations.finishConsent integrations.update integrations.beginPreview integrations.sync integrations.cancel integrations.check
    integrations.disconnect integrations.retry botAi.save botAi.test botAi.remove
    integrationEvents.update integrationEvents.retry integrationEvents.sendTest
    integrationEvents.subscribe integrationEvents.unsubscribe
    settings.updateGeneral settings.updateMessaging settings.updatePlan settings.pushProfile settings.readProfile
    settings.updateNumberProfile settings.updateNoticeDefaults
    dataManagement.summarize dataManagement.clear dataManagement.listImports dataManagement.getImport dataManagement.listBackups
    dataManagement.previewRetention dataManagement.updateRetention dataManagement.deleteArchive
    dataManagement.listArchiveReadings dataManagement.dropArchiveReading
    connections.prove connections.create connections.update connections.disconnect
    connections.subscribe numbers.add numbers.requestCode numbers.verifyCode numbers.register numbers.setDefault
    numbers.setRate channelAgents.inviteTestDevice channelAgents.removeTestDevice`,
};

/** The same for addresses beside the contract, which carry files and streams, or ask for a proof of their own. */
const plainNeeds: Record<string, string[]> = {
  nobody: [
    'GET /api/openapi.json',
    'GET /api/docs',
    'GET /api/docs/style.css',
    'GET /api/profile/unsubscribe/:kind/:token',
    'POST /api/profile/unsubscribe/:kind/:token',
    'GET /healthz',
    'GET /readyz',
  ],
  'signed in': [
    'GET /api/events',
    'GET /api/avatars/:userId',
    'GET /api/logos/:logoId',
    'POST /api/profile/avatar',
    // Of the kind of act: whoever may begin it.
    'GET /api/operations/:operationId/file',
  ],
  'settings:manage': ['POST /api/settings/logo'],
  'campaigns:create': ['POST /api/bot/knowledge/files/:knowledgeId'],
  'settings:manage contacts:read templates:read campaigns:read messages:read': [
    'GET /api/data/archives/:archiveId/file',
    'POST /api/data/archive-readings',
  ],
  'contacts:read contacts:export': ['GET /api/contacts/export', 'POST /api/contacts/export'],
  'contacts:read contacts:export messages:read campaigns:read': ['GET /api/contacts/:contactId/data'],
  'contacts:create': ['POST /api/contacts/imports', 'GET /api/contacts/imports/:importId/failed-rows'],
  'settings:manage contacts:create contacts:update templates:create templates:update campaigns:create': [
    'POST /api/data/imports',
  ],
  'settings:manage contacts:create contacts:delete messages:read templates:create templates:delete campaigns:create campaigns:delete':
    ['POST /api/data/replacements'],
  'campaigns:read contacts:read contacts:export': ['GET /api/campaigns/:campaignId/recipients/export'],
  'messages:create': [
    'PATCH /api/uploads/:uploadId',
    'POST /api/conversations/files/:fileId',
    'POST /api/conversations/files/:fileId/thumbnail',
  ],
  'messages:read': ['GET /api/conversations/files/:fileId', 'GET /api/conversations/files/:fileId/thumbnail'],
  'templates:read': ['GET /api/media/:mediaId/content'],
};

/** These ask for a signature, a password or a mailed link; tests of their own stand beside them. */
export const routesWithOwnAuthentication = [
  'POST /hooks/:token',
  'GET /forms/:slug',
  'GET /media/:token/:name?',
  'POST /forms/:slug',
  'GET /reports/:token',
  'GET /l/:code',
  'GET /webhooks/:kind/:slug',
  'POST /webhooks/:kind/:slug',
  'ALL /api/auth/*',
  'ALL /api/rpc/*',
  'ALL /api/*',
  'ALL /*', // stands before all of them
];

/** Dangerous to one's own account: the password, or another proof, must be of a short while ago. */
export const asksToReauthenticate: readonly string[] = [
  ...[
    'passkeys.beginAdding',
    'passkeys.add',
    'passkeys.remove',
    'profile.setLoginAlerts',
    'profile.changeEmail',
  ],
  ...['companySignIn.beginLink', 'companySignIn.unlink', 'workspaces.leave'],
  ...['users.deactivate', 'users.remove', 'users.changeEmail', 'rolePermissions.update', 'factors.reset'],
  ...['contacts.startExport', 'GET /api/contacts/export', 'POST /api/contacts/export'],
  ...['dataManagement.startExport', 'dataManagement.startArchive', 'dataManagement.clear'],
  ...[
    'dataManagement.startForReal',
    'dataManagement.updateRetention',
    'GET /api/data/archives/:archiveId/file',
    'POST /api/data/archive-readings',
    'POST /api/data/replacements',
  ],
  ...['dataManagement.checkArchive', 'dataManagement.replaceByArchive', 'dataManagement.undoArchive'],
  // Of an admin, as this test asks for.
  'invitations.create',
  'apiKeys.create',
  ...['twoFactor.begin', 'twoFactor.disable', 'twoFactor.makeRecoveryCodes', 'twoFactor.require'],
];

/** All that somebody may do who must set up a second factor first. */
export const openForSetUp: readonly string[] = [
  ...['twoFactor.get', 'twoFactor.begin', 'twoFactor.enable', 'workspaces.list'],
  ...['profile.get', 'profile.setLanguage', 'profile.setTheme', 'profile.confirmPassword'],
  ...['companySignIn.get', 'companySignIn.beginReauthentication'],
  'GET /api/events',
];

/** All that a program may do with a key of somebody's, within what the key is for; everything else is for people alone. */
export const openForKeys: readonly string[] = `
  webhookEndpoints.list webhookEndpoints.listEventTypes webhookEndpoints.get webhookEndpoints.create webhookEndpoints.update
  webhookEndpoints.setPaused webhookEndpoints.getSecret webhookEndpoints.rotateSecret webhookEndpoints.remove
  integrations.list integrations.get integrations.listRuns integrations.listErrors integrations.listHeld integrations.sync
  integrationEvents.listDeliveries integrationEvents.subscribe integrationEvents.unsubscribe integrationEvents.listSamples
  webhookDeliveries.list webhookDeliveries.get webhookDeliveries.sendTest webhookDeliveries.resend webhookDeliveries.previewResend webhookDeliveries.resendMany
  contacts.list contacts.summarize contacts.count contacts.getHomeCountry contacts.listTags contacts.get contacts.create contacts.update
  contacts.bulkEdit contacts.remove contacts.restore contacts.erase contacts.listTimeline contacts.listConsents
  contacts.recordConsent
  segments.list segments.count segments.get segments.create segments.update segments.remove
  customFields.list customFields.create customFields.update customFields.remove
  contactImports.list contactImports.get contactImports.listErrors contactImports.listReasons contactImports.undo
  campaigns.list campaigns.summarize campaigns.get campaigns.create campaigns.update campaigns.remove campaigns.preflight
  campaigns.planTest campaigns.getTest campaigns.chooseVariant campaigns.listContents campaigns.countReachable campaigns.countAudience campaigns.start campaigns.takeBack campaigns.pause campaigns.resume campaigns.cancel campaigns.preflightRetry campaigns.preflightRest campaigns.countReasons
  campaigns.retryFailed campaigns.sendTest campaigns.listRecipients bulkMessage.preview bulkMessage.send
  templates.list templates.summarize templates.get templates.create templates.update templates.remove templates.submit
  media.startUpload media.getUpload media.cancelUpload media.list media.get
  conversations.search
  conversations.list conversations.get conversations.listMessages conversations.open conversations.send
  conversations.listScheduled conversations.changeScheduled conversations.sendScheduled conversations.withdraw conversations.tryAgain
  conversations.listAssignees conversationLabels.list
  conversations.assign conversations.setStatus conversations.setPriority conversations.setLabels conversations.setArchived
  rcs.list rcs.get rcs.create rcs.update rcs.remove
  rcsAnalytics.getAnalytics conversions.record conversions.list conversions.getSettings conversions.updateSettings conversions.getCampaign
  workflows.list workflows.get workflows.create workflows.save workflows.check workflows.publish workflows.pause workflows.activate
  workflows.duplicate workflows.remove workflows.listVersions workflows.getVersion workflowRuns.list workflowRuns.get workflowRuns.enrol workflowRuns.cancel workflowRuns.skipWait
  workflowRuns.countSteps workflowRuns.countByDay workflowRuns.retry workflowRuns.test workflowRuns.explain workflowRuns.findOrigin workflowRuns.listOfContact workflowRuns.previewEnrolment workflowSimulations.get workflowSimulations.listContacts workflowSimulations.start workflowHooks.list workflowHooks.listAll workflowHooks.listCalls
  botAi.get botKnowledge.list botKnowledge.search botKnowledge.create botKnowledge.update botKnowledge.remove chatbot.getSettings chatbot.updateSettings chatbot.listFlows chatbot.createFlow chatbot.importFlow chatbot.updateFlow chatbot.setFlowActive chatbot.deleteFlow chatbot.listAnswers
  analytics.getSummary analytics.getVolume analytics.getStatuses analytics.getCampaigns analytics.getTemplates analytics.getBestTime analytics.getFailures analytics.getInbox analytics.getAudience analytics.getResults analytics.getTemplateHealth analytics.getAutomation analytics.getChoices
  channels.list users.list`
  .trim()
  .split(/\s+/)
  .concat(
    ...['POST /api/contacts/imports', 'GET /api/contacts/imports/:importId/failed-rows', 'GET /api/events'],
    ...['GET /api/campaigns/:campaignId/recipients/export'],
    ...[
      'PATCH /api/uploads/:uploadId',
      'GET /api/media/:mediaId/content',
      'GET /api/conversations/files/:fileId',
      'POST /api/conversations/files/:fileId',
      'POST /api/bot/knowledge/files/:knowledgeId',
    ],
  );

export type Needs = 'nobody' | readonly string[];

/** What each endpoint of the contract, and each address beside it, asks for; nothing but a session is an empty list. */
export const endpointNeeds = new Map(
  Object.entries(needs).flatMap(([asked, names]) =>
    names.split(/\s+/).map((name) => [name, readNeeds(asked)] as const),
  ),
);
export const addressNeeds = new Map(
  Object.entries(plainNeeds).flatMap(([asked, names]) =>
    names.map((name) => [name, readNeeds(asked)] as const),
  ),
);

function readNeeds(asked: string): Needs {
  if (asked === 'nobody') return 'nobody';
  return asked === 'signed in' ? [] : asked.split(' ');
}
