import type { ConnectorEvent, EventConnector, EventOutcome } from '@app/domain/integrations/event-connector';
import type { Reply } from '@app/domain/integrations/contact-connector';
import { activityOfEvent, type Activity } from '../calls/activity-of-event.ts';
import { listOf, recordOf, textOf } from '../calls/json-values.ts';
import { outcomeOfReply } from '../calls/outcome-of-reply.ts';
import { VERSION, type HubspotAsk } from './hubspot-ask.ts';

const OBJECTS = `/crm/objects/${VERSION}`;
/** The type of the association from a note to a contact: developers.hubspot.com, associations. */
const NOTE_TO_CONTACT = 202;
const READ_AT_ONCE = 100;

/** What happens to a person here, as a note on the timeline of their contact. Who has no record there is left out. */
export function createHubspotNotes(ask: HubspotAsk): EventConnector {
  return {
    async send(event): Promise<EventOutcome> {
      const activity = activityOfEvent(event);
      const contactId = event.contact?.externalId;
      if (!activity || (!contactId && !activity.isTest)) return { outcome: 'skipped' };
      if (event.mayBeThere && contactId) {
        const there = await findNote(ask, contactId, event, activity.reference);
        if (!there.ok) return outcomeOfReply(there);
        if (there.value) return { outcome: 'sent' };
      }
      const reply = await (contactId
        ? addNote(ask, contactId, event, activity)
        : addTask(ask, event, activity));
      if (!reply.ok) {
        // The contact was deleted there: the connection is well.
        if (reply.problem === 'account_unknown')
          return { outcome: 'refused', detail: reply.detail ?? reply.problem };
        return outcomeOfReply(reply);
      }
      return textOf(recordOf(reply.value.body)['id']) === null
        ? outcomeOfReply({ ok: false, problem: 'response_unreadable', detail: null, retryAfterMs: null })
        : { outcome: 'sent' };
    },
  };
}

function addNote(ask: HubspotAsk, contactId: string, event: ConnectorEvent, activity: Activity) {
  const types = [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: NOTE_TO_CONTACT }];
  const body = {
    properties: { hs_timestamp: event.occurredAt, hs_note_body: htmlOf(activity) },
    associations: [{ to: { id: contactId }, types }],
  };
  return ask('POST', `${OBJECTS}/notes`, body, false);
}

/** Of a test: a note of nobody is on no page of HubSpot, a task is in the list of tasks. */
function addTask(ask: HubspotAsk, event: ConnectorEvent, { title, reference }: Activity) {
  const properties = { hs_timestamp: event.occurredAt, hs_task_subject: title, hs_task_body: reference };
  return ask(
    'POST',
    `${OBJECTS}/tasks`,
    { properties: { ...properties, hs_task_status: 'COMPLETED' } },
    false,
  );
}

/** Whether an attempt without an answer left its note there. */
async function findNote(
  ask: HubspotAsk,
  contactId: string,
  { occurredAt }: ConnectorEvent,
  reference: string,
): Promise<Reply<boolean>> {
  const contact = await ask('GET', `${OBJECTS}/contacts/${contactId}?associations=notes`);
  if (!contact.ok) return contact.problem === 'account_unknown' ? { ok: true, value: false } : contact;
  const { results, paging } = recordOf(recordOf(recordOf(contact.value.body)['associations'])['notes']);
  const ids = [...new Set(listOf(results).flatMap((one) => textOf(recordOf(one)['id']) ?? []))];
  const newest = ids.toSorted((a, b) => Number(b) - Number(a)).slice(0, READ_AT_ONCE);
  if (newest.length === 0) return { ok: true, value: false };
  const properties = ['hs_note_body'];
  const listed = await ask('POST', `${OBJECTS}/notes/batch/read`, {
    ...{ properties, inputs: newest.map((id) => ({ id })) },
  });
  if (!listed.ok || hasNote(listed.value.body, reference) || paging === undefined)
    return listed.ok ? { ok: true, value: hasNote(listed.value.body, reference) } : listed;
  // More than one page of notes: the one that is looked for is found by its time.
  const at = String(Date.parse(occurredAt));
  const filters = [
    { propertyName: 'associations.contact', operator: 'EQ', value: contactId },
    { propertyName: 'hs_timestamp', operator: 'EQ', value: at },
  ];
  const found = await ask('POST', `${OBJECTS}/notes/search`, {
    ...{ filterGroups: [{ filters }], sorts: [], properties, limit: READ_AT_ONCE, after: '0' },
  });
  return found.ok ? { ok: true, value: hasNote(found.value.body, reference) } : found;
}

const hasNote = (body: unknown, reference: string): boolean =>
  listOf(recordOf(body)['results']).some((one) =>
    (textOf(recordOf(recordOf(one)['properties'])['hs_note_body']) ?? '').includes(reference),
  );

function htmlOf({ title, text, link, reference }: Activity): string {
  const lines = text === '' ? null : escapeHtml(text).replaceAll('\n', '<br>');
  return [
    `<p><strong>${escapeHtml(title)}</strong></p>`,
    lines && `<p>${lines}</p>`,
    link && `<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.title)}</a></p>`,
    `<p>${reference}</p>`,
  ]
    .filter(Boolean)
    .join('');
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
