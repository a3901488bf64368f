import {
  CAMPAIGN_OUTCOME,
  campaignOutcomes,
  type ConnectorEvent,
} from '@app/domain/integrations/event-connector';
import { TEST_EVENT } from '@app/domain/webhook-endpoints/webhook-events';
import { activityWords, type ActivityTitle, type OutcomeWord } from './activity-words.ts';

/** What a CRM writes down with a person. */
export type Activity = {
  title: string;
  /** What the person wrote; empty where they wrote nothing. */
  text: string;
  link: { url: string; title: string } | null;
  /** The last line: an attempt whose answer was lost is recognised by it. */
  reference: string;
  isTest: boolean;
};

const LONGEST_TEXT = 2_000;

/** Null for an event that is no activity. */
export function activityOfEvent(event: ConnectorEvent): Activity | null {
  const words = activityWords(event.language);
  const title = titleOf(event);
  if (title === null) return null;
  const { conversation, campaign } = event;
  return {
    title,
    text: event.messages
      .map(({ text }) => text)
      .join('\n')
      .slice(0, LONGEST_TEXT),
    link: conversation
      ? { url: conversation.link, title: words.open }
      : campaign && { url: campaign.link, title: words.openCampaign },
    reference: `#${event.id}`,
    isTest: event.type === TEST_EVENT,
  };
}

function titleOf({ type, data, campaign, language }: ConnectorEvent): string | null {
  const words = activityWords(language);
  if (type === CAMPAIGN_OUTCOME) {
    const outcome = campaignOutcomes.find((known) => known === data['outcome']);
    if (!campaign || !outcome) return null;
    const also = (['clicked', 'replied'] as const).filter((word) => data[word] === true);
    const said = ([outcome, ...also] as OutcomeWord[]).map((word) => words.outcome[word]).join(', ');
    // The name last: it may hold a placeholder of its own.
    return words.campaign.replace('{outcome}', () => said).replace('{name}', () => campaign.name);
  }
  const word = wordOf(type, data);
  return word && words[word];
}

function wordOf(type: string, data: ConnectorEvent['data']): ActivityTitle | null {
  switch (type) {
    case TEST_EVENT:
      return 'test';
    case 'messages.arrived':
      return 'reply';
    case 'message.sent':
      return 'sent';
    case 'chatbot.handed_over':
      return 'handoff';
    case 'conversation.status_changed':
    case 'conversations.changed':
      return data['status'] === 'resolved' ? 'resolved' : null;
    case 'contact.consent_recorded':
    case 'consents.said':
      return data['kind'] === 'opt_in' ? 'optIn' : 'optOut';
    default:
      return null;
  }
}
