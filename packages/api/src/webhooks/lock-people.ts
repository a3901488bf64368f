import { ownContacts, tryOwnContacts } from '@app/delivery/follow-merges';
import { writeArray } from '@app/delivery/sql-array';
import { spellingsOf } from '@app/domain/contacts/number-spellings';
import { readEventTime } from '@app/domain/messaging/event-time';
import type { InboundEvent } from '@app/domain/messaging/inbound-event';
import type pg from 'pg';
import { lockRecipients } from '@app/delivery/recipients/lock-recipients';
import type { JoinContacts, JoinContactsOf } from './find-contacts.ts';
import type { ScopeOf } from '../platform/system-work.ts';

type Arrived = { event: InboundEvent; workspaceId: string };
type Named<One extends Arrived> = {
  arrived: One;
  workspaceId: string;
  identifiers: string[];
  isChange: boolean;
};
/** Somebody who has an identifier now, or had the number at the time of the event (`phone`), or is known by it since a merge (`alias`). */
type Found = { id: string; by: 'phone' | 'user' | 'alias'; hasUserId: boolean };

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

type Rules = {
  /** Workspaces in which contacts turned out to be joined. */
  mustOwn: ReadonlySet<string>;
  /** Whether it waits for workspaces that are not free. */
  waits: boolean;
  now: number;
};

/**
 * The first two of the locks that everybody takes in one order: the contacts of a workspace as a whole, recipients, contacts. A group that
 * may join contacts needs the first two, because a merge by hand takes them, too. Answers as well with the events that need a
 * workspace which somebody else has.
 */
export async function readPeople<One extends Arrived>(
  client: pg.PoolClient,
  events: readonly One[],
  { mustOwn, waits, now }: Rules,
): Promise<PeopleOfGroup & { left: ReadonlySet<One> }> {
  let named = events.flatMap((arrived) => nameOf(arrived));
  let found = await findPeople(client, named, now);
  const needs = ({ isChange, workspaceId }: Named<One>, place: number) =>
    isChange || mustOwn.has(workspaceId) || mayJoin(found.get(place) ?? []);
  const wanted = new Set(named.filter(needs).map(({ workspaceId }) => workspaceId));
  if (wanted.size === 0) return { contactIds: idsOf(found), owned: wanted, left: new Set() };

  const owned = new Set<string>();
  for (const workspaceId of [...wanted].toSorted()) {
    if (waits) await ownContacts(client, workspaceId);
    else if (!(await tryOwnContacts(client, workspaceId))) continue;
    owned.add(workspaceId);
  }
  const left = new Set(
    named
      .filter((one, place) => !owned.has(one.workspaceId) && needs(one, place))
      .map(({ arrived }) => arrived),
  );
  // Others may have merged while this one waited.
  named = named.filter(({ arrived }) => !left.has(arrived));
  found = await findPeople(client, named, now);
  for (const workspaceId of [...owned].toSorted()) {
    const joined = named.map((one, place) =>
      one.workspaceId === workspaceId && needs(one, place) ? (found.get(place) ?? []) : [],
    );
    const ids = [...new Set(joined.flat().map(({ id }) => id))];
    if (ids.length > 0) await lockRecipients(client, workspaceId, ids);
  }
  return { contactIds: idsOf(found), owned, left };
}

/** Somebody known by their platform id, and a contact without one that has the number, turn out to be one person. */
function mayJoin(people: readonly Found[]): boolean {
  return people.some(
    (user) =>
      user.by === 'user' &&
      people.some((other) => other.by === 'phone' && other.id !== user.id && !other.hasUserId),
  );
}

function idsOf(found: ReadonlyMap<number, readonly Found[]>): string[] {
  return [...new Set([...found.values()].flat().map(({ id }) => id))];
}

/** The third: whoever deletes, merges or edits one of them comes before or after, and what is looked up from here on stays. */
export async function lockPeople(client: pg.PoolClient, { contactIds, owned }: PeopleOfGroup): Promise<void> {
  if (contactIds.length === 0) return;
  // A join deletes one of two; to ask for that right later would be a second place in the order.
  const strength = owned.size > 0 ? 'FOR UPDATE' : 'FOR NO KEY UPDATE';
  await client.query(`SELECT FROM contacts WHERE id = ANY ($1::uuid[]) ORDER BY id ${strength}`, [
    writeArray(contactIds),
  ]);
}

/** Joins contacts of workspaces that this transaction owns. */
export function joinWithin(
  { owned }: PeopleOfGroup,
  joinContacts: JoinContacts,
  scopeOf: ScopeOf,
): JoinContactsOf {
  return async ({ workspaceId, ...pair }) => {
    if (!owned.has(workspaceId)) throw new WorkspaceNotOwned(workspaceId);
    return joinContacts(scopeOf(workspaceId), pair);
  };
}

/** Whether the event is stored with somebody's contact, and not by its message alone. */
export function namesPeople(arrived: Arrived): boolean {
  return nameOf(arrived).length > 0;
}

function nameOf<One extends Arrived>(arrived: One): Named<One>[] {
  const { event, workspaceId } = arrived;
  const name = (identifiers: readonly (string | null)[], isChange = false) => [
    {
      arrived,
      workspaceId,
      identifiers: identifiers.flatMap((one) => (one === null ? [] : spellingsOf(one))),
      isChange,
    },
  ];
  switch (event.type) {
    case 'message_received':
    case 'preference_changed':
    case 'contact_synced':
      return name([event.person.phone, event.person.userId]);
    case 'identity_changed':
      return name([event.from.phone, event.from.userId, event.newPhone, event.newUserId], true);
    case 'message_status':
      return event.action ? name([event.recipient.phone, event.recipient.userId]) : [];
    default:
      return [];
  }
}

/** By the place of the name, whoever has one of its identifiers, or had it when the event happened. */
async function findPeople(
  client: pg.PoolClient,
  named: readonly Named<Arrived>[],
  now: number,
): Promise<Map<number, Found[]>> {
  const asked = named.flatMap(({ arrived, workspaceId, identifiers }, place) => {
    const at = readEventTime(arrived.event.occurredAt, now);
    return identifiers.map((identifier) => ({
      ...{ workspaceId, identifier, place },
      at: at === 0 ? null : new Date(at).toISOString(),
    }));
  });
  const found = new Map<number, Found[]>();
  if (asked.length === 0) return found;
  const { rows } = await client.query<Found & { place: number }>({
    name: 'webhooks_find_people',
    text: `WITH asked AS MATERIALIZED (
       SELECT * FROM unnest($1::integer[], $2::uuid[], $3::text[], $4::timestamptz[]) AS p (place, workspace_id, identifier, at))
     SELECT p.place, c.id, 'phone' AS by, c.platform_user_id IS NOT NULL AS "hasUserId" FROM asked p
       JOIN contacts c ON c.workspace_id = p.workspace_id AND c.phone = p.identifier
     UNION ALL
     SELECT p.place, c.id, 'user', true FROM asked p
       JOIN contacts c ON c.workspace_id = p.workspace_id AND c.platform_user_id = p.identifier
     UNION ALL
     SELECT p.place, c.id, CASE WHEN a.until IS NULL THEN 'alias' ELSE 'phone' END, c.platform_user_id IS NOT NULL FROM asked p
       JOIN contact_aliases a ON a.workspace_id = p.workspace_id AND a.identifier = p.identifier AND (a.until IS NULL OR p.at <= a.until)
       JOIN contacts c ON c.id = a.contact_id`,
    values: [
      writeArray(asked.map(({ place }) => place)),
      writeArray(asked.map(({ workspaceId }) => workspaceId)),
      writeArray(asked.map(({ identifier }) => identifier)),
      writeArray(asked.map(({ at }) => at)),
    ],
  });
  for (const { place, ...one } of rows) found.set(place, [...(found.get(place) ?? []), one]);
  return found;
}
