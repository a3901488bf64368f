import { compileRunMessage, type RecipientFacts, type RunMessage } from '@app/domain/delivery/run-message';
import type { MessageContent } from '@app/domain/messaging/message-content';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import { readRecipient } from '../read-recipient.ts';
import {
  CONTENT_OF_RUN,
  presentMessages,
  reactionsTo,
  TEXT_OF_RUN,
  type Message,
  type MessageRow,
} from './message-rows.ts';
import { AT_RECIPIENT } from './timeline-places.ts';

type Row = Omit<MessageRow, 'content'> & {
  message: RunMessage;
  language: string | null;
  variant: number | null;
};

/**
 * Messages of campaigns to this contact, by run and place (`r12.3`), filled as they are for them: a campaign writes no row into the conversation.
 */
export async function readCampaignMessages(
  scope: ReadScope,
  contactId: string,
  ids: readonly string[],
): Promise<Message[]> {
  if (ids.length === 0) return [];
  const places = ids.map((id) => id.slice(1).split('.'));
  const { rows } = await scope.query<Row>(
    `SELECT 'r' || r.run_no || '.' || r.seq AS id, 'out' AS direction, coalesce(${CONTENT_OF_RUN}->>'type', 'text') AS type,
            ${TEXT_OF_RUN} AS text, 'campaign' AS author, NULL AS author_id, NULL AS author_name, ${AT_RECIPIENT} AS occurred_at,
            CASE r.state WHEN 3 THEN 'refused' WHEN 5 THEN 'unknown' ELSE 'accepted' END AS state,
            r.sent_at, r.delivered_at, r.read_at, r.failed_at, r.error_code, r.error_detail, false AS is_unread,
            NULL::timestamptz AS edited_at, NULL::timestamptz AS revoked_at, NULL AS original_text, NULL::jsonb AS edited_content,
            NULL::jsonb AS about, NULL AS quoted_id, NULL::jsonb AS quoted, ${reactionsTo('r.provider_message_id', 'r.contact_id')} AS reactions,
            k.id AS campaign_id, k.name AS campaign_name, NULL::timestamptz AS send_at, false AS is_tried_again, NULL AS client_id, run.message, r.language,
            coalesce(r.variant, run.winner) AS variant
       FROM unnest($3::bigint[], $4::integer[]) AS w (run_no, seq) JOIN delivery_recipients r USING (run_no, seq)
       JOIN delivery_runs run USING (run_no) LEFT JOIN campaigns k ON k.id = run.campaign_id
      WHERE r.workspace_id = $1 AND r.contact_id = $2`,
    [scope.workspaceId, contactId, places.map(([run]) => run), places.map(([, seq]) => seq)],
  );
  const person = await readRecipient(scope, contactId);
  return presentMessages(
    scope,
    rows.map(({ message, language, variant, ...row }) => {
      const content = fill(message, { ...person, language, variant });
      const text = content.type === 'text' || content.type === 'interactive' ? content.body : row.text;
      return { ...row, text, content: content.type === 'text' ? null : { ...content } };
    }),
  );
}

/** Runs of samples that were made before conversations showed them say nothing. */
function fill(message: RunMessage | object, person: RecipientFacts): MessageContent {
  return 'content' in message ? compileRunMessage(message)(person) : { type: 'text', body: '' };
}
