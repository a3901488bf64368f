import type { ConnectorEvent } from '@app/domain/integrations/event-connector';
import { TEST_EVENT } from '@app/domain/webhook-endpoints/webhook-events';
import { numberOf, textOf } from '../calls/json-values.ts';
import { escapeSlack, slackText } from './slack-words.ts';

/** What `chat.postMessage` takes of one event. */
export type SlackMessage = {
  text: string;
  /** In the thread of the conversation. */
  inThread: boolean;
  /** Shown in the channel besides. */
  isBroadcast: boolean;
  button: { text: string; url: string } | null;
};

/** A section holds 3,000 signs. */
const LONGEST = 2_800;

/** Null for an event that a channel has no use for. */
export function composeSlackMessage(event: ConnectorEvent): SlackMessage | null {
  const { type, contact, conversation, messages, campaign, data, language } = event;
  const name = escapeSlack(contact?.name || contact?.phone || '');
  const said = messages.map(({ text }) => `> ${escapeSlack(text).replaceAll('\n', '\n> ')}`).join('\n');
  const button = conversation && { text: slackText(language, 'open'), url: conversation.link };
  const thread = conversation?.thread ?? null;
  const whole = (text: string) => text.slice(0, LONGEST);
  switch (type) {
    case TEST_EVENT:
      return { text: slackText(language, 'test'), inThread: false, isBroadcast: false, button: null };
    case 'messages.arrived':
      // The first message of a chat comes with the chat.
      return thread && said !== ''
        ? { text: whole(said), inThread: true, isBroadcast: false, button: null }
        : null;
    case 'conversations.opened':
      // What was told in the thread already is no news.
      if (thread && said === '') return null;
      return {
        text: whole([slackText(language, 'chat', { name }), said].filter(Boolean).join('\n')),
        ...{ inThread: false, isBroadcast: false, button },
      };
    case 'chatbot.handed_over':
      return {
        text: whole([slackText(language, 'handoff', { name }), said].filter(Boolean).join('\n')),
        ...{ inThread: thread !== null, isBroadcast: true, button },
      };
    case 'campaign.completed': {
      const figure = (key: string) => String(numberOf(data[key]) ?? 0);
      const values = {
        name: escapeSlack(campaign?.name ?? ''),
        sent: figure('sent'),
        failed: figure('failed'),
      };
      return {
        ...{ text: slackText(language, 'campaign', values), inThread: false, isBroadcast: false },
        button: campaign && { text: slackText(language, 'openCampaign'), url: campaign.link },
      };
    }
    case 'integration.reply_refused':
      return {
        text:
          data['code'] === 'files'
            ? slackText(language, 'filesNotSent')
            : slackText(language, 'notSent', { code: escapeSlack(textOf(data['code']) ?? '') }),
        ...{ inThread: thread !== null, isBroadcast: false, button },
      };
    default:
      return null;
  }
}
