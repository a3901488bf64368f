import { newId } from '@app/database/new-id';
import type { ApiCaller, ApiFixture } from './api-fixture.ts';
import { openPlainRequests, type Scene } from './plain-scenes.ts';
import { quietConnector } from './integrations/quiet-connector.ts';
import type { Input } from './http-edge/contract-routes.ts';
import { openMemberRequests } from './users/member-scenes.ts';

type Stored = { id: string; version: number };

/** One scene for every endpoint that takes a key, in which its act succeeds. Those that need no more than a thing to act on stand in none. */
export function openRequests(
  api: ApiFixture,
  admin: ApiCaller,
  /** Of a page that answers with text. */
  pageUrl: string,
): Record<string, Scene> {
  const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);
  const { workspaceId } = api;
  let count = 0;
  const next = () => (count += 1);
  const phone = () => `+1415${String(2_000_000 + next())}`;

  async function post(path: string, body: object = {}): Promise<Stored> {
    const response = await admin.post(path, body);
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response.json<Stored>();
  }

  /** An archive that lies here, looked through, with what was here before another one. One act at a time is begun. */
  async function addArchiveImport(): Promise<string> {
    const id = newId();
    await query(`UPDATE delivery_runs SET state = 'paused' WHERE state IN ('ready', 'running')`);
    await query(`UPDATE operations SET state = 'done', ended_at = now() WHERE ended_at IS NULL`);
    await query(`UPDATE archive_imports SET state = 'over'`);
    await query(
      `INSERT INTO archive_imports (id, workspace_id, file_name, user_name, state, touched_at, bytes, report, before_run, before_bytes,
                                     replaced_at, undoable_until, created_at)
       VALUES ($1, $2, 'a.archive', 'Ann', 'here', now(), 4, '{}', 1, 4, now(), now() + interval '1 day', now())`,
      [id, workspaceId],
    );
    return id;
  }

  const webhookUrl = 'http://127.0.0.1:9/hook';
  async function addWebhookEndpoint() {
    // A workspace has fifty at most.
    await query('DELETE FROM webhook_endpoints WHERE workspace_id = $1', [workspaceId]);
    return post('/api/webhook-endpoints', { url: webhookUrl });
  }

  /** Connected, with the first sync behind it and none under way. */
  async function addIntegration() {
    await query('DELETE FROM integrations WHERE workspace_id = $1', [workspaceId]);
    await query(
      `INSERT INTO integrations (id, workspace_id, kind, status, credentials, mapping, is_started, created_at, updated_at)
       VALUES ($1, $2, 'quiet', 'connected', $3, $4, true, now(), now())`,
      [
        ...[newId(), workspaceId],
        JSON.stringify({ version: 1, values: {}, secrets: { quietKey: await api.parts.secrets.seal('k') } }),
        JSON.stringify(quietConnector.contacts?.mapping),
      ],
    );
    return { kind: 'quiet' };
  }

  async function addWebhookDelivery() {
    const { id: endpointId } = await addWebhookEndpoint();
    const deliveryId = newId();
    await query(
      `INSERT INTO webhook_deliveries (id, workspace_id, endpoint_id, type, occurred_at, body, status, next_attempt_at, created_at)
       VALUES ($1, $2, $3, 'contact.created', now(), '{}', 'failed', now(), now())`,
      [deliveryId, workspaceId, endpointId],
    );
    return { deliveryId };
  }

  async function addContact(): Promise<Stored> {
    const id = newId();
    await query(
      `INSERT INTO contacts (id, workspace_id, name, phone, window_expires_at) VALUES ($1, $2, $3, $4, now() + interval '9 hours')`,
      [id, workspaceId, `Person ${next()}`, phone()],
    );
    return { id, version: 1 };
  }

  const draft = async () => ({
    name: `Campaign ${next()}`,
    message: { customMessage: 'Hello' },
    audience: { contactIds: [(await addContact()).id] },
  });
  const addCampaign = async () => post('/api/campaigns', await draft());

  async function addStarted(): Promise<Stored> {
    const campaign = await addCampaign();
    return post(`/api/campaigns/${campaign.id}/start`);
  }

  /** As the engine leaves a campaign whose only recipient came to this end. */
  async function addEnded(recipient: string): Promise<Stored> {
    const campaign = await addStarted();
    const run = `(SELECT run_no FROM delivery_runs WHERE campaign_id = '${campaign.id}')`;
    await query(`UPDATE delivery_recipients SET ${recipient} WHERE run_no = ${run}`);
    await query(
      `UPDATE delivery_runs SET state = 'completed', completed_at = now(), cursor = 1, low_water = 1 WHERE run_no = ${run}`,
    );
    return campaign;
  }

  async function addChannel(stop: string): Promise<{ channelId: string }> {
    const { rows } = await query(
      `INSERT INTO channels (id, workspace_id, kind, address, credentials, messages_per_second, is_connected, stopped_code, stopped_reason, stopped_for)
       SELECT gen_random_uuid(), workspace_id, kind, gen_random_uuid(), credentials, 80, true, ${stop}
         FROM channels WHERE workspace_id = $1 LIMIT 1 RETURNING id`,
      [workspaceId],
    );
    return { channelId: rows[0].id };
  }

  async function addConversation(): Promise<{ conversationId: string; version: number }> {
    const { id: contactId } = await addContact();
    const { id: conversationId, version } = await post('/api/conversations', { contactId });
    return { conversationId, version };
  }

  const openWindow = (conversationId: string) =>
    query(`UPDATE conversations SET window_ends_at = now() + interval '9 hours' WHERE id = $1`, [
      conversationId,
    ]);

  async function addReply(more: object = {}): Promise<{ conversationId: string; messageId: string }> {
    const { conversationId } = await addConversation();
    await openWindow(conversationId);
    const message = { text: 'Hello', ...more };
    const { id: messageId } = await post(`/api/conversations/${conversationId}/messages`, { message });
    return { conversationId, messageId };
  }

  async function addNote(): Promise<Input> {
    const { conversationId } = await addConversation();
    const { id: noteId } = await post(`/api/conversations/${conversationId}/notes`, { body: 'A note' });
    return { conversationId, noteId };
  }

  const template = () => ({
    name: `Template ${next()}`,
    category: 'utility',
    components: [{ type: 'body', text: 'Hello there, your order is on its way to you.' }],
  });
  const addTemplate = () => post('/api/templates', template());
  const rules = () => ({ match: 'all', conditions: [{ kind: 'name_contains', value: `x${next()}` }] });

  async function merge(): Promise<Input> {
    const contacts = await Promise.all([addContact(), addContact()]);
    return {
      mergeId: newId(),
      survivorId: contacts[0]!.id,
      contacts: contacts.map(({ id, version }) => ({ contactId: id, version })),
    };
  }

  async function removal(): Promise<Input> {
    return { removalId: newId(), choice: { contactIds: [(await addContact()).id] } };
  }

  const addField = () => post('/api/custom-fields', { label: `Field ${next()}`, type: 'text' });
  const quickReply = () => ({ shortcut: `s${next()}`, title: 'Thanks', text: 'Thank you, {{name}}!' });
  const addQuickReply = () => post('/api/quick-replies', quickReply());
  const reportLink = () => ({ name: `Link ${next()}`, query: { period: '7days' }, days: 7, zone: 'UTC' });
  const rcsMessage = () => ({
    name: `RCS message ${next()}`,
    type: 'text',
    content: { text: 'Hello {{name}}' },
  });
  const addRcsMessage = () => post('/api/rcs/messages', rcsMessage());
  const workflow = () => ({
    name: `Workflow ${next()}`,
    triggers: [{ id: 'new', type: 'new_contact' }],
    start: 'tag',
    steps: [{ id: 'tag', type: 'add_tag', config: { tag: 'new' } }],
  });
  const addWorkflow = async () => {
    const { id: workflowId, version } = await post('/api/workflows', workflow());
    return { workflowId, version };
  };
  const addKnowledge = () => post('/api/bot/knowledge', { question: `Question ${next()}?`, answer: 'Yes.' });
  const botFlow = () => ({
    name: `Bot flow ${next()}`,
    trigger: { type: 'keyword', value: 'price' },
    responses: [{ type: 'text', content: 'Ten.' }],
  });
  const addBotFlow = async () => {
    const { id: botFlowId, version } = await post('/api/bot-flows', botFlow());
    return { botFlowId, version };
  };
  const addLabel = () => post('/api/inbox/labels', { name: `Label ${next()}` });
  const view = () => ({ name: `View ${next()}`, query: { unread: 'yes' } });
  const addView = () => post('/api/inbox/views', view());
  const addSegment = () => post('/api/segments', { name: `Segment ${next()}`, rules: rules() });

  return {
    ...openPlainRequests({
      campaignId: async () => ({ campaignId: (await addCampaign()).id }),
      contactId: async () => ({ contactId: (await addContact()).id, version: 1 }),
      conversationId: addConversation,
      fieldId: async () => ({ fieldId: (await addField()).id }),
      rcsMessageId: async () => ({ rcsMessageId: (await addRcsMessage()).id }),
      quickReplyId: async () => ({ quickReplyId: (await addQuickReply()).id }),
      endpointId: async () => ({ endpointId: (await addWebhookEndpoint()).id }),
      deliveryId: addWebhookDelivery,
      labelId: async () => {
        const { id: labelId, version } = await addLabel();
        return { labelId, version };
      },
      viewId: async () => {
        // Each person has twenty at most.
        await query('DELETE FROM conversation_views');
        return { viewId: (await addView()).id };
      },
      reportViewId: async () => {
        await query('DELETE FROM report_views');
        const saved = await admin.post('/api/analytics/views', { name: `View ${next()}`, query: {} });
        return { reportViewId: (await saved.json<{ id: string }>()).id };
      },
      reportLinkId: async () => {
        await query('DELETE FROM report_links');
        const made = await admin.post('/api/analytics/links', reportLink());
        return { reportLinkId: (await made.json<{ id: string }>()).id };
      },
      segmentId: async () => ({ segmentId: (await addSegment()).id }),
      workflowId: addWorkflow,
      botFlowId: addBotFlow,
      knowledgeId: async () => ({ knowledgeId: (await addKnowledge()).id }),
      templateId: async () => {
        const { id: templateId, version } = await addTemplate();
        return { templateId, version };
      },
    }),
    ...openMemberRequests(api, admin),
    'bulkMessage.send': async () => {
      const { message, audience } = await draft();
      return { message, audience };
    },
    'campaigns.create': draft,
    'campaigns.update': async () => {
      const { id: campaignId, version } = await addCampaign();
      return { campaignId, version, ...(await draft()) };
    },
    'campaigns.pause': async () => ({ campaignId: (await addStarted()).id }),
    'campaigns.resume': async () => {
      const { id: campaignId } = await addStarted();
      await post(`/api/campaigns/${campaignId}/pause`);
      return { campaignId };
    },
    'campaigns.takeBack': async () => {
      const { id: campaignId } = await addCampaign();
      await post(`/api/campaigns/${campaignId}/start`, { takeBackSeconds: 10 });
      return { campaignId };
    },
    'campaigns.chooseVariant': async () => {
      const { id: campaignId } = await post('/api/campaigns', {
        ...(await draft()),
        abTest: {
          ...{ metric: 'read', expectedRate: 50, smallestDifference: 5, share: 50 },
          variants: [{ message: { customMessage: 'Hello' }, share: 50 }],
        },
      });
      await post(`/api/campaigns/${campaignId}/start`);
      await query(
        `UPDATE campaigns SET ab_result = ab_result || '{"verdict": {"outcome": "too_few", "at": "2026-01-01T00:00:00Z", "figures": []}}' WHERE id = '${campaignId}'`,
      );
      return { campaignId, variant: 1 };
    },
    'campaigns.cancel': async () => ({ campaignId: (await addStarted()).id }),
    'campaigns.retryFailed': async () => ({
      campaignId: (await addEnded(`state = 3, error_code = '131000', failed_at = now()`)).id,
    }),
    'campaigns.resolveUnknown': async () => ({
      campaignId: (await addEnded('state = 5')).id,
      decision: 'mark_sent',
    }),
    'campaigns.sendTest': async () => ({ message: { customMessage: 'Hello' }, phone: phone() }),
    'channels.resume': () => addChannel(`'1', 'A test', 'everything'`),
    'connections.disconnect': () => addChannel('NULL, NULL, NULL'),
    'contactMerges.merge': merge,
    'contactMerges.undo': async () => {
      const input = await merge();
      await post('/api/contacts/merges', input);
      return { mergeId: input.mergeId };
    },
    'contactActs.recordConsents': async () => ({
      choice: { contactIds: [(await addContact()).id] },
      kind: 'opt_in',
      text: 'At the fair',
    }),
    'contactActs.edit': async () => ({
      choice: { contactIds: [(await addContact()).id] },
      addTags: [`tag ${next()}`],
    }),
    'contactActs.saveAsSegment': async () => ({
      choice: { contactIds: [(await addContact()).id] },
      name: `Chosen ${next()}`,
    }),
    'contactRemovals.start': removal,
    'contactRemovals.undo': async () => {
      const input = await removal();
      await post('/api/contacts/removals', input);
      return { removalId: input.removalId };
    },
    'contacts.startExport': async () => ({
      format: 'csv',
      choice: { contactIds: [(await addContact()).id] },
    }),
    'dataManagement.startExport': async () => ({}),
    'dataManagement.startArchive': async () => {
      // One at a time, and so many of them.
      await query('DELETE FROM workspace_archives');
      return { withSecrets: false, passphrase: `for this one ${newId()}` };
    },
    'dataManagement.deleteArchive': async () => {
      const archiveId = newId();
      await query(
        `INSERT INTO workspace_archives (id, workspace_id, with_secrets, is_encrypted, run, bytes, created_at, kept_until)
         VALUES ($1, $2, false, false, 1, 4, now(), now() + interval '1 day')`,
        [archiveId, workspaceId],
      );
      return { archiveId };
    },
    'dataManagement.checkArchive': async () => ({ readingId: await addArchiveImport(), passphrase: null }),
    'dataManagement.replaceByArchive': async () => {
      const name = `Business ${next()}`;
      await query(
        `UPDATE workspaces SET settings = settings || jsonb_build_object('businessName', $2::text) WHERE id = $1`,
        [workspaceId, name],
      );
      return { readingId: await addArchiveImport(), passphrase: null, name };
    },
    'dataManagement.undoArchive': async () => ({ readingId: await addArchiveImport() }),
    'dataManagement.dropArchiveReading': async () => ({ readingId: await addArchiveImport() }),
    'dataManagement.undoImport': async () => {
      const importId = newId();
      await query(
        `WITH act AS (INSERT INTO operations (id, workspace_id, kind, state) VALUES ($1, $2, 'data-import', 'done'))
         INSERT INTO data_imports (id, workspace_id, file_name, prefers, is_dry_run, created_at, report, before)
         VALUES ($1, $2, 'backup.json', 'file', false, now(), '{}', '{"fields":[],"templates":[],"campaigns":[],"settings":[]}')`,
        [importId, workspaceId],
      );
      return { importId };
    },
    'dataManagement.clear': async () => {
      // What is under way stops first, and each time as much.
      await query('UPDATE delivery_runs SET completed_at = now() WHERE completed_at IS NULL');
      await query('UPDATE channels SET is_connected = true');
      const name = `Business ${next()}`;
      await query(
        `UPDATE workspaces SET settings = settings || jsonb_build_object('businessName', $2::text) WHERE id = $1`,
        [workspaceId, name],
      );
      return { name };
    },
    'dataManagement.startForReal': async () => {
      await query('UPDATE delivery_runs SET completed_at = now() WHERE completed_at IS NULL');
      await query('UPDATE channels SET is_connected = true');
      const name = `Business ${next()}`;
      await query(
        `UPDATE workspaces SET is_sample = true, settings = settings || jsonb_build_object('businessName', $2::text) WHERE id = $1`,
        [workspaceId, name],
      );
      return { name, businessName: `Real ${next()}` };
    },
    'campaigns.exportResults': async () => ({ campaignId: (await addStarted()).id }),
    'contacts.create': async () => ({ name: `Person ${next()}`, phone: phone() }),
    'contacts.update': async () => {
      const { id: contactId, version } = await addContact();
      return { contactId, version, name: `Renamed ${next()}` };
    },
    'contacts.bulkEdit': async () => ({
      choice: { contactIds: [(await addContact()).id] },
      addTags: [`tag ${next()}`],
    }),
    'contacts.restore': async () => {
      const { id: contactId } = await addContact();
      await admin.delete(`/api/contacts/${contactId}`);
      return { contactId };
    },
    'contacts.erase': async () => {
      // Files of other scenes go with the first who is erased.
      await query('DELETE FROM operations');
      return { contactId: (await addContact()).id };
    },
    'contacts.recordConsent': async () => ({
      contactId: (await addContact()).id,
      kind: 'opt_in',
      text: 'In the shop',
    }),
    'contactImports.undo': async () => {
      const importId = newId();
      await query(
        `WITH act AS (INSERT INTO operations (id, workspace_id, kind, state) VALUES ($1, $2, 'contact-import', 'done'))
         INSERT INTO contact_imports (id, workspace_id, file_name, successful) VALUES ($1, $2, 'people.csv', 1)`,
        [importId, workspaceId],
      );
      const { id } = await addContact();
      await query('UPDATE contacts SET import_id = $2, window_expires_at = NULL WHERE id = $1', [
        id,
        importId,
      ]);
      return { importId };
    },
    'conversationLabels.create': async () => ({ name: `Label ${next()}`, colour: 'blue' }),
    'conversationViews.create': async () => {
      await query('DELETE FROM conversation_views');
      return view();
    },
    'reportViews.save': async () => {
      await query('DELETE FROM report_views');
      return { name: `View ${next()}`, query: { period: '7days' } };
    },
    'reportLinks.create': async () => {
      await query('DELETE FROM report_links');
      return reportLink();
    },
    'conversationViews.update': async () => {
      const { id: viewId, version } = await addView();
      return { viewId, version, ...view() };
    },
    'settings.updateGeneral': async () => {
      const { version } = await (await admin.get('/api/settings/general')).json<{ version: number }>();
      // What platforms show would be handed to them: that is the next one's to try.
      return { version, businessName: `Shop ${next()}` };
    },
    'dataManagement.updateRetention': async () => {
      const { version } = await (await admin.get('/api/data/retention')).json<{ version: number }>();
      return { version, messages: version % 2 === 0 ? 730 : 365, files: null, audit: null, logs: null };
    },
    'settings.updateMessaging': async () => {
      const { version } = await (await admin.get('/api/settings/messaging')).json<{ version: number }>();
      return { version, messageLimits: { isEnabled: false, perMinute: 10, perDay: 1 + (version % 300) } };
    },
    'settings.updateNoticeDefaults': async () => {
      const { version } = await (await admin.get('/api/settings/notices')).json<{ version: number }>();
      const isOn = version % 2 === 0;
      return { version, options: { weekly_report: { inApp: isOn, push: isOn, email: isOn } } };
    },
    'settings.updateNumberProfile': async () => {
      const { channelId } = await addChannel('NULL, NULL, NULL');
      const path = `/api/settings/numbers/${channelId}/profile`;
      const { version, profile } = await (await admin.get(path)).json<{ version: number; profile: object }>();
      return { channelId, version, profile: { ...profile, about: `Shop ${next()}` } };
    },
    'settings.pushProfile': async () => {
      // The first one leaves the row and the job, all others find them.
      await query('DELETE FROM profile_pushes');
      await query(`DELETE FROM jobs.job WHERE name = 'push-profile'`);
      await query('UPDATE channels SET is_connected = true WHERE workspace_id = $1', [workspaceId]);
      return {};
    },
    'inboxSettings.update': async () => {
      // The first change makes the row, all others change it.
      await query(
        `INSERT INTO inbox_settings (workspace_id, settings) VALUES ($1, '{}') ON CONFLICT DO NOTHING`,
        [workspaceId],
      );
      const { version } = await (await admin.get('/api/inbox/settings')).json<{ version: number }>();
      return { version, autoResolveDays: 1 + (version % 300) };
    },
    'conversations.change': async () => ({
      conversations: [{ id: (await addConversation()).conversationId }],
      change: { addLabels: [`label ${next()}`] },
    }),
    'conversations.assign': async () => ({
      ...(await addConversation()),
      assigneeId: await api.userId('agent@acme.test'),
    }),
    'conversations.send': async () => {
      const { conversationId } = await addConversation();
      await openWindow(conversationId);
      return { conversationId, message: { text: 'Hello' } };
    },
    'conversations.decideUnknown': async () => {
      const named = await addReply();
      await query(`UPDATE messages SET state = 'unknown', attempt = 1 WHERE id = $1`, [named.messageId]);
      return { ...named, decision: 'send_again' };
    },
    'conversations.sendScheduled': () => addReply({ sendAt: new Date(Date.now() + 30 * 86_400_000) }),
    'conversations.withdraw': () => addReply(),
    'conversations.tryAgain': async () => {
      const named = await addReply();
      await query(`UPDATE messages SET state = 'refused', attempt = 1, failed_at = now() WHERE id = $1`, [
        named.messageId,
      ]);
      return named;
    },
    'conversations.addNote': async () => ({
      ...{ conversationId: (await addConversation()).conversationId, body: `Note ${next()}` },
      mentions: { userIds: [await api.userId('admin@acme.test')], teamIds: [] },
    }),
    'conversations.editNote': async () => ({ ...(await addNote()), version: 1, body: `Note ${next()}` }),
    'conversations.deleteNote': addNote,
    'conversations.setStatus': async () => ({ ...(await addConversation()), status: 'resolved' }),
    'conversations.setPriority': async () => ({ ...(await addConversation()), priority: 'urgent' }),
    'conversations.setLabels': async () => ({ ...(await addConversation()), labels: [`label ${next()}`] }),
    'customFields.create': async () => ({ label: `Field ${next()}`, type: 'text' }),
    'customFields.update': async () => {
      const { id: fieldId, version } = await addField();
      return { fieldId, version, label: `Renamed field ${next()}` };
    },
    'integrations.connect': async () => {
      await query('DELETE FROM integrations WHERE workspace_id = $1', [workspaceId]);
      return { kind: 'quiet', values: { quietKey: 'k' } };
    },
    'integrations.beginPreview': addIntegration,
    'integrations.sync': addIntegration,
    'integrations.retry': addIntegration,
    'integrations.disconnect': addIntegration,
    'integrations.update': async () => ({
      ...(await addIntegration()),
      ...{ version: 1, frequency: 'daily', createsThere: false, createsTag: `tag ${next()}` },
      mapping: quietConnector.contacts?.mapping,
    }),
    'integrationEvents.retry': addIntegration,
    'integrationEvents.sendTest': addIntegration,
    'integrationEvents.update': async () => ({
      ...{ ...(await addIntegration()), topics: [], target: null, version: 1 },
    }),
    'webhookEndpoints.create': async () => ({ url: webhookUrl, description: `Receiver ${next()}` }),
    'webhookEndpoints.update': async () => {
      const { id: endpointId, version } = await addWebhookEndpoint();
      return { endpointId, version, url: webhookUrl, description: `Receiver ${next()}` };
    },
    'webhookDeliveries.resendMany': async () => ({
      endpointId: (await addWebhookEndpoint()).id,
      which: 'failed',
    }),
    'quickReplies.create': async () => quickReply(),
    'quickReplies.update': async () => {
      const { id: quickReplyId, version } = await addQuickReply();
      return { quickReplyId, version, ...quickReply() };
    },
    'conversions.record': async () => ({ contactId: (await addContact()).id, value: 5, currency: 'USD' }),
    'conversions.updateSettings': async () => {
      const { rows } = await query(
        `INSERT INTO conversion_settings (workspace_id, window_days, counts_links, version) VALUES ($1, 7, true, 1)
         ON CONFLICT (workspace_id) DO UPDATE SET window_days = 7 RETURNING version`,
        [workspaceId],
      );
      return { windowDays: 14, countsLinks: true, version: rows[0].version };
    },
    'rcs.create': async () => rcsMessage(),
    'rcs.update': async () => {
      const { id: rcsMessageId, version } = await addRcsMessage();
      return { rcsMessageId, version, ...rcsMessage() };
    },
    'segments.create': async () => ({ name: `Segment ${next()}`, rules: rules() }),
    'segments.update': async () => {
      const { id: segmentId, version } = await addSegment();
      return { segmentId, version, name: `Renamed segment ${next()}` };
    },
    'workflowRuns.enrol': async () => {
      const { workflowId, version } = await addWorkflow();
      await post(`/api/workflows/${workflowId}/publish`, { version });
      return { workflowId, contactIds: [(await addContact()).id] };
    },
    'workflowHooks.renew': async () => ({
      workflowId: (await addWorkflow()).workflowId,
      triggerId: 'new',
    }),
    'workflowSimulations.start': async () => ({ workflowId: (await addWorkflow()).workflowId }),
    'workflowRuns.test': async () => {
      const { workflowId } = await addWorkflow();
      return { workflowId, contactId: (await addContact()).id };
    },
    'workflowRuns.retry': async () => {
      const { workflowId } = await addWorkflow();
      const contactId = (await addContact()).id;
      const answer = await admin.post(`/api/workflows/${workflowId}/contacts/${contactId}/test`);
      const { runId } = await answer.json<{ runId: string }>();
      await query(`UPDATE flow_runs SET status = 'failed', due_at = NULL, ended_at = now() WHERE id = $1`, [
        runId,
      ]);
      return { runId };
    },
    'chatbot.createFlow': async () => botFlow(),
    'chatbot.importFlow': async () => ({ kind: 'bot', name: 'Bot flow' }),
    'chatbot.updateFlow': async () => ({ ...(await addBotFlow()), ...botFlow() }),
    'chatbot.updateSettings': async () => {
      const { rows } = await query(
        `INSERT INTO bot_settings (workspace_id, settings) VALUES ($1, '{}') ON CONFLICT (workspace_id) DO UPDATE SET settings = '{}' RETURNING version`,
        [workspaceId],
      );
      return { responseDelay: 500, version: rows[0].version };
    },
    'botKnowledge.create': async () => ({ question: `Question ${next()}?`, answer: 'Yes.' }),
    'botKnowledge.createFromAddress': async () => ({ url: `${pageUrl}?page=${next()}` }),
    'botKnowledge.update': async () => {
      const { id: knowledgeId } = await addKnowledge();
      return { knowledgeId, question: `Question ${next()}?`, answer: 'No.', version: 1 };
    },
    'agentAi.write': async () => ({
      conversationId: (await addConversation()).conversationId,
      ...{ task: 'suggest', language: 'en' },
    }),
    'botAi.save': async () => {
      await query(`DELETE FROM ai_connections WHERE workspace_id = $1`, [workspaceId]);
      return { provider: 'openai', key: `k ${next()}`, model: 'small', version: 0 };
    },
    'botAi.remove': async () => {
      await query(
        `INSERT INTO ai_connections (workspace_id, provider, model) VALUES ($1, 'openai', 'small') ON CONFLICT DO NOTHING`,
        [workspaceId],
      );
      return {};
    },
    'workflows.create': async () => workflow(),
    'workflows.save': async () => ({ ...(await addWorkflow()), ...workflow() }),
    'landing.sendEnquiry': async () => {
      api.advance(3_700_000); // Visitors may write a few enquiries an hour.
      await query('UPDATE sessions SET proven_at = $1', [api.parts.clock()]);
      return { name: `Visitor ${next()}`, email: 'visitor@example.com', message: 'Please call me.' };
    },
    'media.startUpload': async () => ({ name: `picture-${next()}.png`, size: 4000, purpose: 'header_image' }),
    'media.remove': async () => {
      const mediaId = newId();
      await query(
        `INSERT INTO media (id, workspace_id, name, type, mime_type, size, sha256, storage_key)
         VALUES ($1, $2, 'picture.png', 'image', 'image/png', 4, 'f00d', $3)`,
        [mediaId, workspaceId, `files/${mediaId}`],
      );
      return { mediaId };
    },
    'templates.create': async () => template(),
    'templates.update': async () => {
      const { id: templateId, version } = await addTemplate();
      return { templateId, version, name: `Renamed template ${next()}` };
    },
    // What was submitted before is settled, so that each sync finds one answer of the platform.
    'templates.sync': async () => {
      await post('/api/templates/sync');
      const { id, version } = await addTemplate();
      await post(`/api/templates/${id}/submit`, { version });
      return {};
    },
  };
}
