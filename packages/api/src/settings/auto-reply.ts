import { isLiveSql } from '@app/database/conversations/message-history';
import { findConsentWord, type ConsentWords } from '@app/domain/contacts/opt-out-keywords';
import {
  answersByItself,
  answerToConsent,
  isAutoAnswered,
  type ToAnswer,
} from '@app/domain/settings/messaging-settings';
import { findAnsweredByFlows } from '../conversations/answered-by-flows.ts';
import { sendMessage } from '../conversations/sending/send-message.ts';
import type { FactConsumer, StoredFact } from '../platform/facts/fact-consumer.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { findMessagingSettings, type StoredMessaging } from './messaging-settings.ts';

/** In front of the id of the message that is answered: however often that is told, it is answered once. */
const KEY = 'auto-reply/';
/** An answer that comes much later answers nothing. */
const USEFUL_MS = 60 * 60_000;
const DAY_MS = 86_400_000;

/** Answers people automatically, as the workspace wants it, by the one way of sending single messages. */
export const autoReply: FactConsumer = {
  name: 'auto-reply',
  order: 'none',
  atDepthLimit: 'refuse',
  types: ['messages.arrived'],
  async handle(page, facts, { db, logger, channelKinds }) {
    if (!channelKinds) return;
    const settings = await findSettings(page);
    if (!answersByItself(settings, settings.businessHours)) return;
    const now = page.clock().getTime();
    const arrived = await findArrived(page, idsArrived(facts), settings.consentWords, now);
    for (const ofConversation of Map.groupBy(arrived, ({ conversationId }) => conversationId).values()) {
      const answer = chooseAnswer(settings, ofConversation, now);
      if (answer === null) continue;
      const { message, body } = answer;
      // What a workflow answers gets no second answer. Words about consent have theirs in any case.
      if (message.consent === null && (await findAnsweredByFlows(page, ofConversation)).size > 0) continue;
      const { conversationId, messageId } = message;
      // It answers somebody who has just written: quiet hours do not hold it, and it is no marketing.
      const sent = await sendMessage(
        page.causedBy(factOf(facts, messageId)),
        { channelKinds, db },
        {
          ...{ to: { conversationId }, message: { text: body }, isMarketing: false },
          ...{ purpose: 'automation', priority: 'bot', key: `${KEY}${messageId}` },
          giveUpAt: new Date(now + USEFUL_MS),
        },
      );
      // A number that is stopped is no failure. The operator sees why nobody is answered.
      if (sent.outcome === 'refused')
        logger?.warn(
          { workspaceId: page.workspaceId, messageId, code: sent.code },
          'an automatic reply was refused',
        );
    }
  },
};

/** Where the chatbot is on, it answers in place of the automatic reply; words about consent keep their own answers. */
async function findSettings(scope: ReadScope): Promise<StoredMessaging> {
  const settings = await findMessagingSettings(scope);
  const { rowCount } = await scope.query(
    `SELECT FROM bot_settings WHERE workspace_id = $1 AND (settings->>'isEnabled')::boolean`,
    [scope.workspaceId],
  );
  if (rowCount === 0) return settings;
  return { ...settings, autoReply: { ...settings.autoReply, isEnabled: false } };
}

/**
 * One answer to all that somebody wrote at once, newest first: to their last word about consent, whatever they wrote after it, else to the
 * last message.
 */
function chooseAnswer(
  settings: StoredMessaging,
  [last, ...earlier]: readonly Arrived[],
  now: number,
): { message: Arrived; body: string } | null {
  if (!last) return null;
  const word = [last, ...earlier].find(({ consent }) => consent !== null);
  const body = word ? answerToConsent(settings, word, now) : null;
  if (word && body !== null) return { message: word, body };
  const isAnswered = isAutoAnswered(settings, settings.businessHours, last, now);
  return isAnswered ? { message: last, body: settings.autoReply.message } : null;
}

function idsArrived(facts: readonly StoredFact[]): string[] {
  return facts.flatMap(({ values }) => (Array.isArray(values.messageIds) ? values.messageIds : []));
}

/** The fact that named the message. */
function factOf(facts: readonly StoredFact[], messageId: string): StoredFact {
  return facts.find((fact) => idsArrived([fact]).includes(messageId))!; // its id was read from one of them
}

type Arrived = ToAnswer & { conversationId: string; messageId: string; contactId: string; channelId: string };
type Row = Omit<Arrived, 'writtenAt' | 'answeredAt' | 'consent'> & {
  writtenAt: Date;
  answeredAt: Date | null;
};

/** What people wrote, newest first. Who begins with several messages at once writes for the first time with all of them. */
async function findArrived(
  scope: ReadScope,
  messageIds: readonly string[],
  consentWords: ConsentWords | null,
  now: number,
): Promise<Arrived[]> {
  if (messageIds.length === 0) return [];
  const ofPair = 'o.contact_id = m.contact_id AND o.channel_id = m.channel_id';
  const { rows } = await scope.query<Row>(
    `SELECT c.id AS "conversationId", m.id AS "messageId", m.contact_id AS "contactId", m.channel_id AS "channelId", coalesce(m.text, '') AS text, m.occurred_at AS "writtenAt",
        c.kept_since IS NULL AND NOT EXISTS (SELECT FROM messages o WHERE ${ofPair} AND o.direction = 'in' AND is_said(o)
                     AND o.id <> ALL ($2::uuid[]) AND (o.occurred_at, o.id) < (m.occurred_at, m.id)) AS "isFirst",
        EXISTS (SELECT FROM channels n WHERE n.workspace_id = m.workspace_id
                 AND regexp_replace(n.display_name, '\\D', '', 'g') = regexp_replace(k.phone, '\\D', '', 'g')) AS "isOwnNumber",
        (SELECT max(o.occurred_at) FROM messages o WHERE ${ofPair} AND o.direction = 'out' AND is_said(o)
           AND o.state IS DISTINCT FROM 'scheduled' AND (o.author IN ('person', 'app') OR starts_with(o.send_key, $3))) AS "answeredAt",
        (SELECT count(*)::int FROM messages o WHERE ${ofPair} AND o.direction = 'out' AND starts_with(o.send_key, $3)
           AND o.occurred_at > $4) AS "repliesInDay"
       FROM messages m JOIN conversations c ON c.contact_id = m.contact_id AND c.channel_id = m.channel_id
       JOIN contacts k ON k.id = m.contact_id AND k.status <> 'blocked'
      WHERE m.workspace_id = $1 AND m.id = ANY ($2::uuid[]) AND m.direction = 'in' AND is_said(m) AND ${isLiveSql('m')}
      ORDER BY m.occurred_at DESC, m.id DESC`,
    [scope.workspaceId, messageIds, KEY, new Date(now - DAY_MS)],
  );
  return rows.map((row) => ({
    ...row,
    writtenAt: row.writtenAt.getTime(),
    answeredAt: row.answeredAt?.getTime() ?? null,
    consent: findConsentWord(row.text, consentWords),
  }));
}
