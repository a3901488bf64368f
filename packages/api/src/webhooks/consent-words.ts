import type { ConsentWord } from '@app/database/contacts/change-consent';
import type { ChannelPerson } from '@app/domain/messaging/inbound-event';
import { readConsentTime } from '@app/domain/messaging/event-time';
import type { ContactRef } from './find-contacts.ts';

type Said = ContactRef & { event: { occurredAt: number; person: ChannelPerson } };

/** What a person said about consent, under the identifier by which the platform names them. */
export function consentWord(
  { workspaceId, contactId, event: { occurredAt, person } }: Said,
  choice: 'stop' | 'start',
  text: string,
  now: number,
): ConsentWord {
  return {
    ...{ workspaceId, contactId, source: 'person', text, sender: person.phone ?? person.userId },
    ...timeWord(choice, occurredAt, now),
  };
}

/** What was chosen, and when by both clocks. */
export function timeWord(choice: 'stop' | 'start', occurredAt: number, now: number) {
  const kind: ConsentWord['kind'] = choice === 'stop' ? 'opt_out' : 'opt_in';
  const { at, saidAt } = readConsentTime(kind, occurredAt, now);
  return { kind, at: new Date(at), saidAt: saidAt === null ? null : new Date(saidAt) };
}
