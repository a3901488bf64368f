import { isLiveSql } from '@app/database/conversations/message-history';
import { FRESH_MS, LOOP_MS, type MessageToAnswer } from '@app/domain/chatbot/decide-answer';
import { findConsentWord, type ConsentWords } from '@app/domain/contacts/opt-out-keywords';
import { shownMessage } from '@app/domain/conversations/shown-message';
import { chooseLanguage } from '@app/domain/text/interface-language';
import type { ReadScope } from '../platform/workspace-scope.ts';

export type Arrived = MessageToAnswer & {
  conversationId: string;
  contactId: string;
  channelId: string;
  messageId: string;
  /** The id of the button or row that was tapped. */
  button: string | null;
};

type Row = Pick<
  Arrived,
  | 'conversationId'
  | 'contactId'
  | 'channelId'
  | 'messageId'
  | 'isBlocked'
  | 'isOptedOut'
  | 'isOwnNumber'
  | 'lastAnswer'
  | 'recentAnswers'
  | 'button'
> & {
  type: string;
  text: string | null;
  content: unknown;
  writtenAt: Date;
  receivedAt: Date;
  agentWroteAt: Date | null;
  language: string | null;
  workspaceLanguage: string | null;
};

/** What people wrote a short while ago, newest first, with all that decides about an answer. Older messages are not even read. */
export async function findArrived(
  scope: ReadScope,
  messageIds: readonly string[],
  consentWords: ConsentWords | null,
): Promise<Arrived[]> {
  if (messageIds.length === 0) return [];
  const now = scope.clock().getTime();
  const { rows } = await scope.query<Row>(
    `SELECT c.id AS "conversationId", m.contact_id AS "contactId", m.channel_id AS "channelId", m.id AS "messageId", m.type, m.text, m.content,
        CASE m.content->>'type' WHEN 'button_reply' THEN m.content->>'payload' WHEN 'list_reply' THEN m.content->>'id' END AS button,
        m.occurred_at AS "writtenAt", coalesce(m.received_at, m.occurred_at) AS "receivedAt", k.status = 'blocked' AS "isBlocked", k.opted_out_at IS NOT NULL AS "isOptedOut", k.language,
        w.language AS "workspaceLanguage",
        EXISTS (SELECT FROM channels n WHERE n.workspace_id = m.workspace_id
                 AND regexp_replace(n.display_name, '\\D', '', 'g') = regexp_replace(k.phone, '\\D', '', 'g')) AS "isOwnNumber",
        (SELECT o.text FROM messages o WHERE o.contact_id = m.contact_id AND o.channel_id = m.channel_id AND o.direction = 'out' AND is_said(o)
           AND o.author = 'bot' AND o.occurred_at > $4 ORDER BY o.occurred_at DESC, o.id DESC LIMIT 1) AS "lastAnswer",
        (SELECT count(*)::int FROM bot_answers a WHERE a.workspace_id = $1 AND a.contact_id = m.contact_id AND a.channel_id = m.channel_id
           AND a.decided_at > $4) AS "recentAnswers",
        (SELECT max(o.occurred_at) FROM messages o WHERE o.contact_id = m.contact_id AND o.channel_id = m.channel_id AND o.direction = 'out'
           AND is_said(o) AND o.state IS DISTINCT FROM 'scheduled' AND o.author IN ('person', 'app')) AS "agentWroteAt"
       FROM messages m JOIN conversations c ON c.contact_id = m.contact_id AND c.channel_id = m.channel_id
       JOIN contacts k ON k.id = m.contact_id JOIN workspaces w ON w.id = m.workspace_id
      WHERE m.workspace_id = $1 AND m.id = ANY ($2::uuid[]) AND m.direction = 'in' AND is_said(m) AND m.occurred_at > $3 AND ${isLiveSql('m')}
      ORDER BY m.occurred_at DESC, m.id DESC`,
    [scope.workspaceId, messageIds, new Date(now - FRESH_MS), new Date(now - LOOP_MS)],
  );
  return rows.map(({ type, text, content, language, workspaceLanguage, ...row }) => {
    const said = saidIn({ type, text, content });
    return {
      ...row,
      text: said,
      isTap: row.button !== null,
      language: chooseLanguage([language?.replaceAll('_', '-'), workspaceLanguage]),
      isConsentWord: findConsentWord(said, consentWords) !== null,
      writtenAt: row.writtenAt.getTime(),
      receivedAt: row.receivedAt.getTime(),
      agentWroteAt: row.agentWroteAt?.getTime() ?? null,
    };
  });
}

/** Before their runs and conversations, as everybody does: meanwhile the engine moves no run of theirs. */
export async function lockContacts(scope: ReadScope, contactIds: readonly string[]): Promise<void> {
  await scope.query(
    'SELECT FROM contacts WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR NO KEY UPDATE',
    [scope.workspaceId, [...new Set(contactIds)]],
  );
}

/** The words of a message: what was typed, tapped, or written below a file; empty where there are none. */
function saidIn(message: { type: string; text: string | null; content: unknown }): string {
  const shown = shownMessage(message);
  switch (shown.kind) {
    case 'text':
      return shown.body;
    case 'choice':
      return shown.title;
    case 'media':
      return shown.caption;
    case 'form':
      return shown.text;
    case 'order':
      return shown.note;
    default:
      return '';
  }
}
