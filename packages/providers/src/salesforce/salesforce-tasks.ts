import type { ConnectorEvent, EventConnector, EventOutcome } from '@app/domain/integrations/event-connector';
import type { Reply } from '@app/domain/integrations/contact-connector';
import { activityOfEvent } from '../calls/activity-of-event.ts';
import { outcomeOfReply } from '../calls/outcome-of-reply.ts';
import { recordOf, textOf } from '../calls/json-values.ts';
import { DATA, type SalesforceAsk } from './salesforce-ask.ts';
import { querySalesforce, quoted } from './salesforce-soql.ts';

const MINUTE_MS = 60_000;
/** Of a subject: developer.salesforce.com, Task. */
const LONGEST_SUBJECT = 255;

/** What happens to a person here, as a completed task of their contact or lead. Who has no record there is left out. */
export function createSalesforceTasks(ask: SalesforceAsk): EventConnector {
  return {
    async send(event): Promise<EventOutcome> {
      const activity = activityOfEvent(event);
      const who = event.contact?.externalId;
      if (!activity || (!who && !activity.isTest)) return { outcome: 'skipped' };
      const { title, text, link, reference } = activity;
      if (event.mayBeThere) {
        const there = await findTask(ask, event, reference);
        if (!there.ok) return outcomeOfReply(there);
        if (there.value) return { outcome: 'sent' };
      }
      const body = {
        ...(who && { WhoId: who }),
        ...{ Subject: title.slice(0, LONGEST_SUBJECT), Status: 'Completed' },
        ActivityDate: event.occurredAt.slice(0, 10),
        Description: [text, link?.url, reference].filter(Boolean).join('\n\n'),
      };
      const reply = await ask('POST', `${DATA}/sobjects/Task`, body, false);
      if (!reply.ok) return outcomeOfReply(reply);
      return textOf(recordOf(reply.value.body)['id']) === null
        ? outcomeOfReply({ ok: false, problem: 'response_unreadable', detail: null, retryAfterMs: null })
        : { outcome: 'sent' };
    },
  };
}

/** Whether an attempt without an answer left its task there: a description cannot be searched, but it can be read. */
async function findTask(
  ask: SalesforceAsk,
  { contact, occurredAt }: ConnectorEvent,
  reference: string,
): Promise<Reply<boolean>> {
  const since = new Date(Date.parse(occurredAt) - MINUTE_MS).toISOString();
  const who = contact?.externalId;
  // The newest first: the task that is looked for was made a moment ago.
  const reply = await querySalesforce(
    ask,
    `SELECT Id, Description FROM Task WHERE CreatedDate >= ${since}${who ? ` AND WhoId = ${quoted(who)}` : ''} ORDER BY CreatedDate DESC LIMIT 200`,
  );
  if (!reply.ok) return reply;
  const isOurs = (text: unknown) => (textOf(text) ?? '').endsWith(reference);
  return { ok: true, value: reply.value.records.some(({ Description: text }) => isOurs(text)) };
}
