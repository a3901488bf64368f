import type pg from 'pg';
import type { ChannelPerson, InboundEvent } from '@app/domain/messaging/inbound-event';
import { countRefused, findErased, type PersonIdentifier } from '../platform/erased-people.ts';
import type { SecretBox } from '../platform/request-context.ts';

type Arrived = { event: InboundEvent; workspaceId: string };

/** Leaves out what comes from or tells of people who were erased, and counts it. */
export async function deleteErased<Event extends Arrived>(
  client: pg.PoolClient,
  secrets: Pick<SecretBox, 'fingerprint'>,
  events: readonly Event[],
): Promise<Event[]> {
  const named = events.flatMap((arrived) => identifiersOf(arrived));
  if (named.length === 0) return [...events];
  const isErased = await findErased(client, secrets, named);
  const refused: PersonIdentifier[] = [];
  const kept = events.filter((arrived) => {
    const erased = identifiersOf(arrived).find(isErased);
    if (erased) refused.push(erased);
    return erased === undefined;
  });
  if (refused.length > 0) await countRefused(client, secrets, refused);
  return kept;
}

function identifiersOf({ event, workspaceId }: Arrived): PersonIdentifier[] {
  const person = personOf(event);
  const next = event.type === 'identity_changed' ? [event.newPhone, event.newUserId] : [];
  return [person?.phone, person?.userId, ...next].flatMap((identifier) =>
    identifier ? [{ workspaceId, identifier }] : [],
  );
}

function personOf(event: InboundEvent): ChannelPerson | null {
  switch (event.type) {
    case 'message_status':
      return event.recipient;
    case 'identity_changed':
      return event.from;
    default:
      return 'person' in event ? event.person : null;
  }
}
