import type pg from 'pg';
import { writeArray } from '@app/delivery/sql-array';
import { spellingsOf } from '@app/domain/contacts/number-spellings';

export type KnownContact = {
  readonly id: string;
  readonly workspaceId: string;
  phone: string | null;
  userId: string | null;
  name: string;
  readonly isNew: boolean;
};

type Asked = { workspaceId: string; person: { phone: string | null; userId: string | null } };
type Alias = { contact: KnownContact; until: number | null };

/** The contacts that a group of events may be about, and what the events add to them. */
export type KnownPeople = ReturnType<typeof createKnownPeople>;

type Row = Omit<KnownContact, 'isNew'> & { identifier: string | null; until: Date | null };

/** Reads the contacts with these numbers and ids, and those that had them once, whatever their number, in one statement. */
export async function lookUpContacts(client: pg.PoolClient, people: readonly Asked[]): Promise<KnownPeople> {
  const spelled = people.flatMap(inAllSpellings);
  const asked = [...new Map(spelled.map((one) => [keyOfAsked(one), one])).values()];
  const { rows } = await client.query<Row>({
    name: 'webhooks_look_up_contacts',
    text: `WITH asked AS MATERIALIZED (
       SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[]) AS p (workspace_id, phone, user_id))
     SELECT NULL AS identifier, NULL::timestamptz AS until, ${CONTACT} FROM asked p
       JOIN contacts c ON c.workspace_id = p.workspace_id AND c.phone = p.phone
     UNION ALL
     SELECT NULL, NULL, ${CONTACT} FROM asked p
       JOIN contacts c ON c.workspace_id = p.workspace_id AND c.platform_user_id = p.user_id
     UNION ALL
     SELECT a.identifier, a.until, ${CONTACT} FROM asked p
       JOIN contact_aliases a ON a.workspace_id = p.workspace_id AND a.identifier IN (p.phone, p.user_id)
       JOIN contacts c ON c.id = a.contact_id`,
    values: [
      writeArray(asked.map(({ workspaceId }) => workspaceId)),
      writeArray(asked.map(({ person }) => person.phone)),
      writeArray(asked.map(({ person }) => person.userId)),
    ],
  });
  const read = ({ id, workspaceId, phone, userId, name }: Row): KnownContact => {
    return { id, workspaceId, phone, userId, name, isNew: false };
  };
  const known = createKnownPeople(rows.filter(({ identifier }) => identifier === null).map(read));
  for (const row of rows)
    if (row.identifier !== null) known.addAlias(row.identifier, read(row), row.until?.getTime() ?? null);
  return known;
}

const CONTACT = 'c.id, c.workspace_id AS "workspaceId", c.phone, c.platform_user_id AS "userId", c.name';

function createKnownPeople(contacts: readonly KnownContact[]) {
  const byId = new Map<string, KnownContact>();
  const byIdentifier = new Map<string, KnownContact>();
  const aliases = new Map<string, Alias>();
  const changed = new Set<KnownContact>();

  function register(contact: KnownContact): KnownContact {
    const known = byId.get(contact.id) ?? contact;
    byId.set(known.id, known);
    if (known.phone !== null) byIdentifier.set(`${known.workspaceId} ${known.phone}`, known);
    if (known.userId !== null) byIdentifier.set(`${known.workspaceId} ${known.userId}`, known);
    return known;
  }
  /** Who has the number as it is told goes before who has it in its other spelling. */
  const find = (workspaceId: string, identifier: string | null) =>
    firstOf(identifier, (one) => byIdentifier.get(`${workspaceId} ${one}`));
  contacts.forEach(register);

  return {
    byUser: find,
    byPhone: find,
    /** Who had the number until later than this moment. */
    formerOwner(workspaceId: string, phone: string | null, at: number): KnownContact | undefined {
      const alias = firstOf(phone, (one) => aliases.get(`${workspaceId} ${one}`));
      return alias && alias.until !== null && at <= alias.until ? alias.contact : undefined;
    },
    byAlias(workspaceId: string, ...identifiers: (string | null)[]): KnownContact | undefined {
      const found = identifiers.flatMap((identifier) =>
        spelled(identifier).map((one) => aliases.get(`${workspaceId} ${one}`)),
      );
      return found.find((alias) => alias?.until === null)?.contact;
    },
    addAlias(identifier: string, contact: KnownContact, until: number | null): void {
      aliases.set(`${contact.workspaceId} ${identifier}`, { contact: register(contact), until });
    },
    add: register,
    change(contact: KnownContact, change: Partial<Pick<KnownContact, 'phone' | 'userId' | 'name'>>): void {
      Object.assign(contact, change);
      register(contact);
      if (!contact.isNew) changed.add(contact);
    },
    /** Two became one: both are known by its id from here on. */
    unite(one: KnownContact, other: KnownContact, stayingId: string): KnownContact {
      const [staying, gone] = one.id === stayingId ? [one, other] : [other, one];
      staying.phone ??= gone.phone;
      staying.userId ??= gone.userId;
      for (const [key, contact] of byIdentifier) if (contact === gone) byIdentifier.set(key, staying);
      for (const alias of aliases.values()) if (alias.contact === gone) alias.contact = staying;
      byId.set(gone.id, staying);
      changed.delete(gone);
      return staying;
    },
    idOf: (contact: KnownContact): string => byId.get(contact.id)?.id ?? contact.id,
    added: () => [...byId.values()].filter(({ isNew }) => isNew),
    changed: () => [...changed],
  };
}

function spelled(identifier: string | null): string[] {
  return identifier === null ? [] : spellingsOf(identifier);
}

function firstOf<Found>(
  identifier: string | null,
  find: (spelling: string) => Found | undefined,
): Found | undefined {
  for (const spelling of spelled(identifier)) {
    const found = find(spelling);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inAllSpellings({ workspaceId, person }: Asked): Asked[] {
  const [phone = null, ...others] = spelled(person.phone);
  const { userId } = person;
  return [
    { workspaceId, person: { phone, userId } },
    ...others.map((other) => ({ workspaceId, person: { phone: other, userId: null } })),
  ];
}

function keyOfAsked({ workspaceId, person }: Asked): string {
  return `${workspaceId} ${person.phone} ${person.userId}`;
}
