import { assistLimits } from '@app/domain/chatbot/model/assist-prompt';
import { promptLimits } from '@app/domain/chatbot/model/build-prompt';
import type { ReadScope } from '../../platform/workspace-scope.ts';

export type Talk = {
  contactId: string;
  channelId: string;
  /** What customers know the business by. */
  business: string;
  /** The oldest first, up to the message that is to be answered. */
  messages: { isOurs: boolean; text: string }[];
  /** The words of that message. */
  question: string;
};

const DAY_MS = 86_400_000;
/** What is older says nothing about what an agent writes now. */
const TALK_DAYS = 90;

/** What was said in a conversation within a day before a message, which ends it. Null where the message is gone. */
export async function readTalk(scope: ReadScope, messageId: string): Promise<Talk | null> {
  const { rows } = await scope.query<{
    contact_id: string;
    channel_id: string;
    occurred_at: Date;
    text: string | null;
    business: string;
  }>(
    `SELECT m.contact_id, m.channel_id, m.occurred_at, m.text, coalesce(nullif(w.settings->>'businessName', ''), w.name) AS business
       FROM messages m JOIN workspaces w ON w.id = m.workspace_id WHERE m.workspace_id = $1 AND m.id = $2`,
    [scope.workspaceId, messageId],
  );
  const [asked] = rows;
  if (!asked) return null;
  const messages = await readMessages(scope, {
    ...{ contactId: asked.contact_id, channelId: asked.channel_id },
    ...{ from: new Date(asked.occurred_at.getTime() - DAY_MS), until: asked.occurred_at },
  });
  return {
    ...{ contactId: asked.contact_id, channelId: asked.channel_id, business: asked.business },
    ...{ messages, question: asked.text ?? '' },
  };
}

/** Texts of both sides, the oldest first: as many as a prompt takes. */
export async function readMessages(
  scope: ReadScope,
  {
    contactId,
    channelId,
    from,
    until,
    most = promptLimits.messages,
  }: { contactId: string; channelId: string; from: Date; until: Date; most?: number },
): Promise<{ isOurs: boolean; text: string }[]> {
  const { rows } = await scope.query<{ isOurs: boolean; text: string }>(
    `SELECT m.direction = 'out' AS "isOurs", left(m.text, ${promptLimits.message}) AS text FROM messages m
      WHERE m.workspace_id = $1 AND m.contact_id = $2 AND m.channel_id = $3 AND m.occurred_at > $4 AND m.occurred_at <= $5
        AND is_said(m) AND m.text ~ '\\S' ORDER BY m.occurred_at DESC, m.id DESC LIMIT $6`,
    [scope.workspaceId, contactId, channelId, from, until, most],
  );
  return rows.toReversed();
}

/** The end of a conversation, for people who talk in it. Null where it is gone. */
export async function readConversationTalk(
  scope: ReadScope,
  conversationId: string,
): Promise<Omit<Talk, 'question'> | null> {
  const { rows } = await scope.query<Pick<Talk, 'contactId' | 'channelId' | 'business'>>(
    `SELECT c.contact_id AS "contactId", c.channel_id AS "channelId", coalesce(nullif(w.settings->>'businessName', ''), w.name) AS business
       FROM conversations c JOIN workspaces w ON w.id = c.workspace_id WHERE c.workspace_id = $1 AND c.id = $2`,
    [scope.workspaceId, conversationId],
  );
  const [found] = rows;
  if (!found) return null;
  const now = scope.clock().getTime();
  const messages = await readMessages(scope, {
    ...found,
    ...{
      from: new Date(now - TALK_DAYS * DAY_MS),
      until: new Date(now + DAY_MS),
      most: assistLimits.messages,
    },
  });
  return { ...found, messages };
}
