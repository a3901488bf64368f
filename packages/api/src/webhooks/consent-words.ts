import type pg from 'pg';
import type { ConsentWords } from '@app/domain/contacts/opt-out-keywords';
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

/** The words of the workspaces that somebody wrote to; null for those that come with the product. */
export async function findConsentWords(
  client: pg.PoolClient,
  messages: readonly { workspaceId: string }[],
): Promise<(workspaceId: string) => ConsentWords | null> {
  const ids = [...new Set(messages.map(({ workspaceId }) => workspaceId))];
  const { rows } = await client.query<{ id: string; words: ConsentWords | null }>({
    name: 'webhooks_consent_words',
    text: `SELECT id, settings->'consentWords' AS words FROM workspaces WHERE id = ANY ($1::uuid[])`,
    values: [ids],
  });
  const own = new Map(rows.map(({ id, words }) => [id, words]));
  return (workspaceId) => own.get(workspaceId) ?? null;
}
