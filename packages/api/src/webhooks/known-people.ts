import type pg from 'pg';

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

/** Reads the contacts with these numbers and ids, and those that had them once, whatever their number, in two statements. */
export async function lookUpContacts(client: pg.PoolClient, people: readonly Asked[]): Promise<KnownPeople> {
  const asked = [...new Map(people.map((one) => [keyOfAsked(one), one])).values()];
  const { rows } = await client.query<Omit<KnownContact, 'isNew'>>(
    `SELECT DISTINCT c.id, c.workspace_id AS "workspaceId", c.phone, c.platform_user_id AS "userId", c.name FROM (
       SELECT c.* FROM unnest($1::uuid[], $2::text[]) AS p (workspace_id, phone)
         JOIN contacts c ON c.workspace_id = p.workspace_id AND c.phone = p.phone
       UNION ALL
       SELECT c.* FROM unnest($1::uuid[], $3::text[]) AS p (workspace_id, user_id)
         JOIN contacts c ON c.workspace_id = p.workspace_id AND c.platform_user_id = p.user_id) AS c`,
    [
      asked.map(({ workspaceId }) => workspaceId),
      asked.map(({ person }) => person.phone),
      asked.map(({ person }) => person.userId),
    ],
  );
  const known = createKnownPeople(rows.map((row) => ({ ...row, isNew: false })));
  const { rows: aliases } = await client.query<
    Omit<KnownContact, 'isNew'> & { identifier: string; until: Date | null }
  >(
    `SELECT a.identifier, a.until, c.id, c.workspace_id AS "workspaceId", c.phone, c.platform_user_id AS "userId", c.name
       FROM unnest($1::uuid[], $2::text[]) AS p (workspace_id, identifier)
       JOIN contact_aliases a ON a.workspace_id = p.workspace_id AND a.identifier = p.identifier
       JOIN contacts c ON c.id = a.contact_id`,
    [
      asked.flatMap(({ workspaceId }) => [workspaceId, workspaceId]),
      asked.flatMap(({ person }) => [person.phone, person.userId]),
    ],
  );
  for (const { identifier, until, ...row } of aliases)
    known.addAlias(identifier, { ...row, isNew: false }, until?.getTime() ?? null);
  return known;
}

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
  const find = (workspaceId: string, identifier: string | null) =>
    identifier === null ? undefined : byIdentifier.get(`${workspaceId} ${identifier}`);
  contacts.forEach(register);

  return {
    byUser: find,
    byPhone: find,
    /** Who had the number until later than this moment. */
    formerOwner(workspaceId: string, phone: string | null, at: number): KnownContact | undefined {
      const alias = aliases.get(`${workspaceId} ${phone}`);
      return alias && alias.until !== null && at <= alias.until ? alias.contact : undefined;
    },
    byAlias(workspaceId: string, ...identifiers: (string | null)[]): KnownContact | undefined {
      const found = identifiers.map((identifier) => aliases.get(`${workspaceId} ${identifier}`));
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

function keyOfAsked({ workspaceId, person }: Asked): string {
  return `${workspaceId} ${person.phone} ${person.userId}`;
}
