import { ownContacts } from '@app/delivery/follow-merges';
import type { InboundEvent } from '@app/domain/messaging/inbound-event';
import type pg from 'pg';
import { lockRecipients } from '../platform/lock-recipients.ts';
import type { JoinContacts } from './find-contacts.ts';

type Arrived = { event: InboundEvent; workspaceId: string };
type Named = { workspaceId: string; identifiers: string[]; isChange: boolean };

/** The contacts of a group of events, before they are locked. */
export type PeopleOfGroup = {
  contactIds: string[];
  /** Workspaces in which contacts may be joined, which this transaction owns. */
  owned: ReadonlySet<string>;
};

/** Two contacts turned out to be one person where nobody expected it: the group begins anew and owns the workspace first. */
export class WorkspaceNotOwned extends Error {
  override name = 'WorkspaceNotOwned';
  readonly workspaceId: string;

  constructor(workspaceId: string) {
    super('Contacts are joined by who owns the contacts of their workspace.');
    this.workspaceId = workspaceId;
  }
}

/**
 * The first two of the locks that everybody takes in one order: the contacts of a workspace as a whole, recipients, contacts. A group that
 * may join contacts needs the first two, because a merge by hand takes them, too.
 */
export async function readPeople(
  client: pg.PoolClient,
  events: readonly Arrived[],
  mustOwn: ReadonlySet<string>,
): Promise<PeopleOfGroup> {
  const named = events.flatMap(nameOf);
  let found = await findIds(client, named);
  const mayJoin = ({ isChange }: Named, place: number) => isChange || (found.get(place)?.size ?? 0) > 1;
  const owned = new Set([...mustOwn, ...named.filter(mayJoin).map(({ workspaceId }) => workspaceId)]);
  if (owned.size > 0) {
    for (const workspaceId of [...owned].toSorted()) await ownContacts(client, workspaceId);
    // Others may have merged while this one waited.
    found = await findIds(client, named);
    for (const workspaceId of [...owned].toSorted()) {
      const ids = named.flatMap((one, place) =>
        one.workspaceId === workspaceId && mayJoin(one, place) ? [...(found.get(place) ?? [])] : [],
      );
      if (ids.length > 0) await lockRecipients(client, workspaceId, [...new Set(ids)]);
    }
  }
  return { contactIds: [...new Set([...found.values()].flatMap((ids) => [...ids]))], owned };
}

/** The third: whoever deletes, merges or edits one of them comes before or after, and what is looked up from here on stays. */
export async function lockPeople(client: pg.PoolClient, { contactIds, owned }: PeopleOfGroup): Promise<void> {
  if (contactIds.length === 0) return;
  // A join deletes one of two; to ask for that right later would be a second place in the order.
  const strength = owned.size > 0 ? 'FOR UPDATE' : 'FOR NO KEY UPDATE';
  await client.query(`SELECT FROM contacts WHERE id = ANY ($1::uuid[]) ORDER BY id ${strength}`, [
    contactIds,
  ]);
}

/** Joins contacts of workspaces that this transaction owns. */
export function joinWithin({ owned }: PeopleOfGroup, joinContacts: JoinContacts): JoinContacts {
  return async (client, pair) => {
    if (!owned.has(pair.workspaceId)) throw new WorkspaceNotOwned(pair.workspaceId);
    return joinContacts(client, pair);
  };
}

function nameOf({ event, workspaceId }: Arrived): Named[] {
  const name = (identifiers: readonly (string | null)[], isChange = false) => [
    { workspaceId, identifiers: identifiers.filter((one) => one !== null), isChange },
  ];
  switch (event.type) {
    case 'message_received':
    case 'preference_changed':
      return name([event.person.phone, event.person.userId]);
    case 'identity_changed':
      return name([event.from.phone, event.from.userId, event.newPhone, event.newUserId], true);
    case 'message_status':
      return event.action ? name([event.recipient.phone, event.recipient.userId]) : [];
    default:
      return [];
  }
}

/** By the place of the name, whoever has one of its identifiers or had it once. */
async function findIds(client: pg.PoolClient, named: readonly Named[]): Promise<Map<number, Set<string>>> {
  const asked = named.flatMap(({ workspaceId, identifiers }, place) =>
    identifiers.map((identifier) => ({ workspaceId, identifier, place })),
  );
  const found = new Map<number, Set<string>>();
  if (asked.length === 0) return found;
  const { rows } = await client.query<{ place: number; id: string }>(
    `WITH asked AS MATERIALIZED (
       SELECT * FROM unnest($1::integer[], $2::uuid[], $3::text[]) AS p (place, workspace_id, identifier))
     SELECT p.place, c.id FROM asked p JOIN contacts c ON c.workspace_id = p.workspace_id AND c.phone = p.identifier
     UNION ALL
     SELECT p.place, c.id FROM asked p JOIN contacts c ON c.workspace_id = p.workspace_id AND c.platform_user_id = p.identifier
     UNION ALL
     SELECT p.place, a.contact_id FROM asked p
       JOIN contact_aliases a ON a.workspace_id = p.workspace_id AND a.identifier = p.identifier`,
    [
      asked.map(({ place }) => place),
      asked.map(({ workspaceId }) => workspaceId),
      asked.map(({ identifier }) => identifier),
    ],
  );
  for (const { place, id } of rows) found.set(place, (found.get(place) ?? new Set()).add(id));
  return found;
}
