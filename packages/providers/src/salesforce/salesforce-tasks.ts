import type { ConnectorEvent, EventConnector, EventOutcome } from '@app/domain/integrations/event-connector';
import type { Reply } from '@app/domain/integrations/contact-connector';
import { TEST_EVENT } from '@app/domain/webhook-endpoints/webhook-events';
import { recordOf, textOf } from '../calls/json-values.ts';
import { DATA, type SalesforceAsk } from './salesforce-ask.ts';
import { querySalesforce, quoted } from './salesforce-soql.ts';
import { taskWord, type TaskWord } from './salesforce-words.ts';

const MINUTE_MS = 60_000;
const LONGEST_TEXT = 2_000;

/** What happens to a person here, as a completed task of their contact or lead. Who has no record there is left out. */
export function createSalesforceTasks(ask: SalesforceAsk): EventConnector {
  return {
    async send(event) {
      const word = wordOf(event);
      const who = event.contact?.externalId;
      if (word === null || (!who && word !== 'test')) return { outcome: 'skipped' };
      const reference = `#${event.id}`;
      if (event.mayBeThere) {
        const there = await findTask(ask, event, reference);
        if (!there.ok) return outcomeOf(there);
        if (there.value) return { outcome: 'sent' };
      }
      const text = event.messages.map((message) => message.text).join('\n');
      const body = {
        ...(who && { WhoId: who }),
        ...{ Subject: taskWord(event.language, word), Status: 'Completed' },
        ActivityDate: event.occurredAt.slice(0, 10),
        Description: [text.slice(0, LONGEST_TEXT), event.conversation?.link, reference]
          .filter(Boolean)
          .join('\n\n'),
      };
      const reply = await ask('POST', `${DATA}/sobjects/Task`, body, false);
      if (!reply.ok) return outcomeOf(reply);
      return textOf(recordOf(reply.value.body)['id']) === null
        ? outcomeOf({ ok: false, problem: 'response_unreadable', detail: null, retryAfterMs: null })
        : { outcome: 'sent' };
    },
  };
}

function wordOf({ type, data }: ConnectorEvent): TaskWord | null {
  switch (type) {
    case TEST_EVENT:
      return 'test';
    case 'messages.arrived':
      return 'reply';
    case 'message.sent':
      return 'sent';
    case 'chatbot.handed_over':
      return 'handoff';
    case 'contact.consent_recorded':
    case 'consents.said':
      return data['kind'] === 'opt_in' ? 'optIn' : 'optOut';
    default:
      return null;
  }
}

/** Whether an attempt without an answer left its task there: a description cannot be searched, but it can be read. */
async function findTask(
  ask: SalesforceAsk,
  { contact, occurredAt }: ConnectorEvent,
  reference: string,
): Promise<Reply<boolean>> {
  const since = new Date(Date.parse(occurredAt) - MINUTE_MS).toISOString();
  const who = contact?.externalId;
  const reply = await querySalesforce(
    ask,
    `SELECT Id, Description FROM Task WHERE CreatedDate >= ${since}${who ? ` AND WhoId = ${quoted(who)}` : ''} ORDER BY CreatedDate LIMIT 200`,
  );
  if (!reply.ok) return reply;
  const isOurs = (text: unknown) => (textOf(text) ?? '').endsWith(reference);
  return { ok: true, value: reply.value.records.some(({ Description: text }) => isOurs(text)) };
}

function outcomeOf({ problem, detail, retryAfterMs }: Extract<Reply<never>, { ok: false }>): EventOutcome {
  if (problem === 'service_rejected') return { outcome: 'refused', detail: detail ?? problem };
  const isUnknown = problem === 'service_away' || problem === 'response_unreadable';
  return { outcome: 'failed', problem, detail, retryAfterMs, isUnknown };
}
