import { newId } from '@app/database/new-id';
import { sealTestChannel, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { quietConnector } from '../integrations/quiet-connector.ts';
import { addFlowRows } from './flow-rows.ts';

/** A text in every row made here: an answer that holds it shows a row of this workspace. */
export const ROW_MARK = 'only for its own workspace';

/** No two rows of a run have the same. */
let phones = 0;

/** The id of one row for every kind that routes take, under the name of the parameter. */
export type WorkspaceRows = Record<string, string>;

export async function addWorkspaceRows(
  { db: { systemPool }, secrets }: ApiFixture['parts'],
  workspaceId: string,
  admin: ApiCaller,
  mark = ROW_MARK,
): Promise<WorkspaceRows & { deletedContactId: string }> {
  const rows = {
    workspaceId,
    contactId: newId(),
    deletedContactId: newId(),
    importId: newId(),
    archiveId: newId(),
    readingId: newId(),
    templateId: newId(),
    mediaId: newId(),
    logoId: newId(),
    uploadId: newId(),
    campaignId: newId(),
    segmentId: newId(),
    fieldId: newId(),
    removalId: newId(),
    operationId: newId(),
    mergeId: newId(),
    userId: newId(),
    sessionId: newId(),
    channelId: newId(),
    conversationId: newId(),
    messageId: newId(),
    noteId: newId(),
    fileId: newId(),
    ownSessionId: newId(),
    passkeyId: newId(),
    browserId: newId(),
    keyId: newId(),
    notificationId: newId(),
    invitationId: newId(),
    teamId: newId(),
    labelId: newId(),
    viewId: newId(),
    reportViewId: newId(),
    reportLinkId: newId(),
    quickReplyId: newId(),
    rcsMessageId: newId(),
    endpointId: newId(),
    deliveryId: newId(),
    linkId: newId(),
    writingId: newId(),
    workflowId: newId(),
    runId: newId(),
    botFlowId: newId(),
    knowledgeId: newId(),
    knowledgePageId: newId(),
  };
  const phone = () => `+1415${7_000_000 + (phones += 1)}`;
  const insert = (statement: string, values: unknown[]) => systemPool.query(statement, values);
  await insert('INSERT INTO contacts (id, workspace_id, name, phone) VALUES ($1, $2, $3, $4)', [
    rows.contactId,
    workspaceId,
    mark,
    phone(),
  ]);
  await insert('INSERT INTO contacts (id, workspace_id, name, phone) VALUES ($1, $2, $3, $4)', [
    rows.deletedContactId,
    workspaceId,
    mark,
    phone(),
  ]);
  await admin.delete(`/api/contacts/${rows.deletedContactId}`);
  const { kind, address, credentials } = await sealTestChannel(secrets, 'http://127.0.0.1:9');
  await insert(
    `INSERT INTO channels (id, workspace_id, kind, address, display_name, credentials, messages_per_second)
     VALUES ($1, $2, $3, $4, $5, $6, 80)`,
    [rows.channelId, workspaceId, kind, `${address}-${rows.channelId}`, mark, credentials],
  );
  for (const [id, kind] of [
    [rows.importId, 'contact-import'],
    [rows.removalId, 'contact-removal'],
    [rows.operationId, 'contact-export'],
  ])
    await insert(
      `INSERT INTO operations (id, workspace_id, kind, name, state, file_name, file_until)
         VALUES ($1, $2, $3, $4, 'done', 'contacts.csv', now() + interval '1 hour')`,
      [id, workspaceId, kind, mark],
    );
  await insert('INSERT INTO contact_imports (id, workspace_id, file_name) VALUES ($1, $2, $3)', [
    rows.importId,
    workspaceId,
    mark,
  ]);
  await insert(
    `INSERT INTO data_imports (id, workspace_id, file_name, prefers, is_dry_run, created_at) VALUES ($1, $2, $3, 'file', false, now())`,
    [rows.importId, workspaceId, mark],
  );
  await insert(
    `INSERT INTO workspace_archives (id, workspace_id, with_secrets, is_encrypted, run, bytes, created_at, kept_until)
       VALUES ($1, $2, false, false, 1, 4, now(), now() + interval '1 day')`,
    [rows.archiveId, workspaceId],
  );
  await insert(
    `INSERT INTO archive_imports (id, workspace_id, file_name, user_name, state, touched_at, replaced_at, created_at)
       SELECT $1, $2, $3, $3, CASE WHEN EXISTS (SELECT FROM archive_imports WHERE workspace_id = $2) THEN 'over' ELSE 'here' END,
              now(), now(), now()`,
    [rows.readingId, workspaceId, mark],
  );
  await insert(
    `INSERT INTO templates (id, workspace_id, name, components, content) VALUES ($1, $2, $3, $4, $3)`,
    [rows.templateId, workspaceId, mark, JSON.stringify([{ type: 'body', text: mark }])],
  );
  await insert(
    `INSERT INTO media (id, workspace_id, name, type, mime_type, size, sha256, storage_key)
       VALUES ($1, $2, $3, 'image', 'image/png', $5, 'f00d', $4)`,
    [rows.mediaId, workspaceId, mark, `files/${rows.mediaId}`, ROW_MARK.length],
  );
  await insert(
    `INSERT INTO logos (id, workspace_id, sha256, content, used_at) VALUES ($1, $2, $3, convert_to($4, 'UTF8'), now())`,
    [rows.logoId, workspaceId, `sha of ${rows.logoId}`, mark],
  );
  await insert(
    `INSERT INTO media_uploads (id, workspace_id, user_id, name, purpose, size)
       SELECT $1, $2, user_id, $3, 'image', 4000 FROM memberships WHERE workspace_id = $2 LIMIT 1`,
    [rows.uploadId, workspaceId, mark],
  );
  await insert(`INSERT INTO campaigns (id, workspace_id, name, custom_message) VALUES ($1, $2, $3, $3)`, [
    rows.campaignId,
    workspaceId,
    mark,
  ]);
  await insert('INSERT INTO segments (id, workspace_id, name, rules) VALUES ($1, $2, $3, $4)', [
    rows.segmentId,
    workspaceId,
    `${mark} ${rows.segmentId}`,
    JSON.stringify({ match: 'all', conditions: [{ kind: 'name_contains', value: mark }] }),
  ]);
  await insert(
    `INSERT INTO custom_fields (id, workspace_id, key, label, type, position) VALUES ($1, $2, $3, $4, 'text', 1)`,
    [rows.fieldId, workspaceId, `field_${rows.fieldId}`, `${mark} ${rows.fieldId}`],
  );
  await insert(
    `INSERT INTO contact_merges (id, workspace_id, survivor_id, user_name, names, before, after, merged_at)
       SELECT $1, $2, c.id, $4, ARRAY[$4], to_jsonb(c), to_jsonb(c), now() FROM contacts c WHERE c.id = $3`,
    [rows.mergeId, workspaceId, rows.contactId, mark],
  );
  await insert(`INSERT INTO users (id, name, email, first_name, last_name) VALUES ($1, $2, $3, $2, $2)`, [
    rows.userId,
    mark,
    `${rows.userId}@other.test`,
  ]);
  await insert(`INSERT INTO memberships (workspace_id, user_id, role) VALUES ($1, $2, 'viewer')`, [
    workspaceId,
    rows.userId,
  ]);
  await insert(
    `INSERT INTO sessions (id, user_id, token, expires_at) VALUES ($1, $2, $3, now() + interval '1 day')`,
    [rows.sessionId, rows.userId, `token ${rows.sessionId}`],
  );
  await insert(
    `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, provider_message_id, type, text, payload, occurred_at, is_unread)
       VALUES ($1, $2, $3, $4, 'in', $6, 'text', $5, '{}', now(), true)`,
    [rows.messageId, workspaceId, rows.channelId, rows.contactId, mark, `wamid.${rows.messageId}`],
  );
  await insert(
    `INSERT INTO conversations (id, workspace_id, channel_id, contact_id, unread, labels, last_message_id, last_message_type,
           last_message_direction, last_message_at, last_activity_at)
       VALUES ($1, $2, $3, $4, 1, ARRAY[$6::text], $5, 'text', 'in', now(), now())`,
    [rows.conversationId, workspaceId, rows.channelId, rows.contactId, rows.messageId, mark],
  );
  await insert(
    `INSERT INTO conversation_notes (id, workspace_id, conversation_id, author_id, author_name, body, at)
       SELECT $1, $2, $3, user_id, $4, $4, now() FROM memberships WHERE workspace_id = $2 AND role = 'admin' LIMIT 1`,
    [rows.noteId, workspaceId, rows.conversationId, mark],
  );
  await insert(
    `INSERT INTO message_files (id, workspace_id, user_id, kind, mime_type, name, size, sha256, state, content, stored_at)
       SELECT $1, workspace_id, user_id, 'image', 'image/png', $3, 1, 'ab', 'stored', 'no-bytes', now() FROM memberships
        WHERE workspace_id = $2 AND role = 'admin' LIMIT 1`,
    [rows.fileId, workspaceId, mark],
  );
  await insert(
    `INSERT INTO conversation_labels (id, workspace_id, name, colour, created_at) VALUES ($1, $2, $3, 'grey', now())`,
    [rows.labelId, workspaceId, `${mark} ${rows.labelId}`],
  );
  await insert(
    `INSERT INTO passkeys (id, user_id, credential_id, public_key, name, created_at)
       SELECT $1, user_id, $3, '\\x00', $4, now() FROM memberships WHERE workspace_id = $2 AND role = 'admin' LIMIT 1`,
    [rows.passkeyId, workspaceId, `credential-${rows.passkeyId}`, mark],
  );
  await insert(
    `INSERT INTO api_keys (id, workspace_id, user_id, name, prefix, secret_hash, scopes, created_at)
       SELECT $1, workspace_id, user_id, 'A key', $3, '\\x00', '{contacts:read}', now() FROM memberships
        WHERE workspace_id = $2 AND role = 'admin' LIMIT 1`,
    [rows.keyId, workspaceId, `wmp_${rows.keyId.slice(-12)}`],
  );
  await insert(
    `INSERT INTO notifications (id, workspace_id, user_id, kind, "values", fact_id, is_listed, is_mailed, created_at)
       SELECT $1, workspace_id, user_id, 'team_joined', jsonb_build_object('team', $3::text), 0, true, false, now()
         FROM memberships WHERE workspace_id = $2 AND role = 'admin' LIMIT 1 ON CONFLICT (workspace_id, user_id, fact_id, subject)
         DO UPDATE SET id = excluded.id`,
    [rows.notificationId, workspaceId, mark],
  );
  // One of the admin's own beside that of somebody else.
  await insert(
    `INSERT INTO sessions (id, user_id, token, expires_at)
       SELECT $1, user_id, $3, now() + interval '1 day' FROM memberships WHERE workspace_id = $2 AND role = 'admin' LIMIT 1`,
    [rows.ownSessionId, workspaceId, `token ${rows.ownSessionId}`],
  );
  await insert(
    `INSERT INTO push_browsers (id, user_id, session_id, endpoint, p256dh, auth, user_agent, created_at)
       SELECT $1, user_id, $3, $5, 'B', 'A', $4, now() FROM memberships
        WHERE workspace_id = $2 AND role = 'admin' LIMIT 1`,
    [rows.browserId, workspaceId, rows.ownSessionId, mark, `https://push.example/${rows.browserId}`],
  );
  await insert(
    `INSERT INTO invitations (id, workspace_id, email, role, invited_by_name, sent_at, expires_at, created_at)
     VALUES ($1, $2, $3, 'viewer', $4, now() - interval '1 day', now() + interval '1 day', now())`,
    [rows.invitationId, workspaceId, `${rows.invitationId}@other.test`, mark],
  );
  await insert(
    `INSERT INTO teams (id, workspace_id, name, created_at, updated_at) VALUES ($1, $2, $3, now(), now())`,
    [rows.teamId, workspaceId, `${mark} ${rows.teamId}`],
  );
  await insert(
    `INSERT INTO team_members (workspace_id, team_id, user_id, role, joined_at) VALUES ($1, $2, $3, 'member', now())`,
    [workspaceId, rows.teamId, rows.userId],
  );
  await insert(
    `INSERT INTO conversation_views (id, workspace_id, name, query, created_at, updated_at)
     VALUES ($1, $2, $3, '{"archived": "no", "order": "pinned"}', now(), now())`,
    [rows.viewId, workspaceId, `${mark} ${rows.viewId}`.slice(0, 60)],
  );
  await insert(
    `INSERT INTO report_views (id, workspace_id, user_id, name, query, created_at)
       SELECT $1, workspace_id, user_id, $3, '{"by": "week"}', now() FROM memberships WHERE workspace_id = $2 AND role = 'admin' LIMIT 1`,
    [rows.reportViewId, workspaceId, `${mark} ${rows.reportViewId}`.slice(0, 60)],
  );
  await insert(
    `INSERT INTO report_links (id, workspace_id, user_id, name, query, time_zone, created_at, ends_at)
       SELECT $1, workspace_id, user_id, $3, '{}', 'UTC', now(), now() + interval '7 days' FROM memberships WHERE workspace_id = $2 AND role = 'admin' LIMIT 1`,
    [rows.reportLinkId, workspaceId, `${mark} ${rows.reportLinkId}`.slice(0, 60)],
  );
  await insert(
    `INSERT INTO webhook_endpoints (id, workspace_id, url, description, per_second, secret, paused_at, pause_reason, created_at, updated_at)
     VALUES ($1, $2, 'http://127.0.0.1:9/hook', $3, 10, $4, now(), 'person', now(), now())`,
    [rows.endpointId, workspaceId, mark, await secrets.seal('whsec_AAAA')],
  );
  await insert(
    `INSERT INTO webhook_deliveries (id, workspace_id, endpoint_id, type, occurred_at, body, status, next_attempt_at, created_at)
     VALUES ($1, $2, $3, 'contact.created', now(), $4, 'failed', now(), now())`,
    [rows.deliveryId, workspaceId, rows.endpointId, mark],
  );
  await insert(
    `INSERT INTO webhook_attempts (delivery_id, workspace_id, number, started_at, outcome, url, request_headers)
     VALUES ($1, $2, 1, now(), 'not_sent', 'http://127.0.0.1:9/hook', '{}')`,
    [rows.deliveryId, workspaceId],
  );
  await insert(
    `INSERT INTO quick_replies (id, workspace_id, shortcut, title, body, created_at, updated_at) VALUES ($1, $2, $3, $4, $4, now(), now())`,
    [rows.quickReplyId, workspaceId, rows.quickReplyId, mark],
  );
  await insert(
    `INSERT INTO rcs_messages (id, workspace_id, name, type, content, line, status, category, created_at, updated_at)
     VALUES ($1, $2, $3, 'text', jsonb_build_object('text', $4::text), $4, 'draft', 'marketing', now(), now())`,
    [rows.rcsMessageId, workspaceId, rows.rcsMessageId, mark],
  );
  await insert(
    `INSERT INTO counted_links (id, workspace_id, code, key, target, label, place, is_counted, campaign_id, channel_id, owner, contact_id, created_at)
     VALUES ($1::uuid, $2, $1::text, 'key', $3, $3, 'text', true, $4, $5, $1::text, $6, now())`,
    [rows.linkId, workspaceId, mark, rows.campaignId, rows.channelId, rows.contactId],
  );
  await insert(
    `INSERT INTO link_clicks (id, workspace_id, link_id, campaign_id, owner, seq, contact_id, clicked_at, ten_seconds, is_first)
     VALUES ($1::uuid, $2, $1::uuid, $3, $1::text, 0, $4, now(), 1, true)`,
    [rows.linkId, workspaceId, rows.campaignId, rows.contactId],
  );
  await insert(
    `INSERT INTO conversions (id, workspace_id, contact_id, source, external_id, name, value, currency, occurred_at, received_at, clicked_at, link_id, campaign_id)
     VALUES ($1::uuid, $2, $3, 'api', $1::text, $4, 5, 'USD', now(), now(), now(), $1::uuid, $5)`,
    [rows.linkId, workspaceId, rows.contactId, mark, rows.campaignId],
  );
  await insert(
    `INSERT INTO conversion_settings (workspace_id, window_days, counts_links, version) VALUES ($1, 7, true, 1) ON CONFLICT DO NOTHING`,
    [workspaceId],
  );
  await insert(
    `INSERT INTO conversation_drafts (workspace_id, user_id, contact_id, channel_id, kind, writing_id, body, saved_at)
       SELECT workspace_id, user_id, $3, $4, 'note', $1, $5, now() FROM memberships WHERE workspace_id = $2 AND role = 'admin' LIMIT 1`,
    [rows.writingId, workspaceId, rows.contactId, rows.channelId, mark],
  );
  await insert(
    `INSERT INTO integrations (id, workspace_id, kind, status, credentials, account, mapping, is_started, created_at, updated_at)
     VALUES ($1, $2, $3, 'connected', $4, $5, $6, true, now(), now()) ON CONFLICT DO NOTHING`,
    [
      ...[newId(), workspaceId, quietConnector.name],
      JSON.stringify({ version: 1, values: {}, secrets: { quietKey: await secrets.seal('k') } }),
      ...[mark, JSON.stringify(quietConnector.contacts?.mapping)],
    ],
  );
  await addFlowRows(insert, rows, mark);
  await insert(
    `INSERT INTO webhook_calls (id, workspace_id, kind, at, state, status, milliseconds, bytes, outline)
       VALUES ($1, $2, $3, now(), 'received', 200, 5, 40, $4)`,
    [newId(), workspaceId, kind, mark],
  );
  return rows;
}
