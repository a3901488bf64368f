import type { ReadScope, WorkspaceScope } from '../workspace-scope.ts';
import type {
  KnownOfPerson,
  Merge,
  Moved,
  Person,
  PersonData,
  TableOfPerson,
  Unmerge,
} from './person-data.ts';

type Owner = { name: string; personData?: PersonData };
export type ExportSection = Extract<TableOfPerson, { section: string }>;

/** All features that keep rows about people, as one. */
export type PeopleData = {
  lock(scope: WorkspaceScope, contactIds: readonly string[]): Promise<void>;
  /** Everything by which the person of this contact is or was known. */
  identify(scope: ReadScope, contactId: string): Promise<Person>;
  erase(scope: WorkspaceScope, person: Person): Promise<void>;
  /** Answers with what to keep for `unmerge`, by feature. */
  merge(scope: WorkspaceScope, merge: Merge): Promise<Record<string, Moved>>;
  unmerge(scope: WorkspaceScope, unmerge: Unmerge, moved: Readonly<Record<string, Moved>>): Promise<void>;
  /** What a person is told when they ask what is held about them, in the order of the features. */
  sections: readonly ExportSection[];
  /** Every table with rows about people. */
  tables: ReadonlySet<string>;
};

/** Two tables with one name for a section stop the start. */
export function gatherPersonData(features: readonly Owner[]): PeopleData {
  const owners = features.flatMap(({ name, personData }) => (personData ? [{ name, ...personData }] : []));
  const sections = owners.flatMap(({ tables }) =>
    Object.values(tables).flatMap((how) => ('section' in how ? [how] : [])),
  );
  const names = sections.map(({ section }) => section);
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (double !== undefined) throw new Error(`Two tables have the same section: ${double}`);

  return {
    sections,
    tables: new Set(owners.flatMap(({ tables }) => Object.keys(tables))),
    async lock(scope, contactIds) {
      for (const owner of owners) await owner.lock?.(scope, contactIds);
    },
    async identify(scope, contactId) {
      let person: Person = { contactId, ids: [contactId], identifiers: [], names: [] };
      // Each is asked again only when more is known than it was asked with: some look through every recipient there is.
      const asked = new Map<string, number>();
      const isOpen = ({ name, identify }: (typeof owners)[number]) =>
        identify !== undefined && asked.get(name) !== sizeOf(person);
      for (let next = owners.find(isOpen); next; next = owners.find(isOpen)) {
        asked.set(next.name, sizeOf(person));
        person = extend(person, (await next.identify?.(scope, person)) ?? {});
      }
      return person;
    },
    async erase(scope, person) {
      for (const owner of owners) await owner.erase(scope, person);
    },
    async merge(scope, merge) {
      const moved: Record<string, Moved> = {};
      for (const owner of owners) if (owner.merge) moved[owner.name] = await owner.merge(scope, merge);
      return moved;
    },
    async unmerge(scope, unmerge, moved) {
      for (const owner of owners) await owner.unmerge?.(scope, unmerge, moved[owner.name] ?? {});
    },
  };
}

function sizeOf({ ids, identifiers, names }: Person): number {
  return ids.length + identifiers.length + names.length;
}

function extend(person: Person, { ids = [], identifiers = [], names = [] }: KnownOfPerson): Person {
  const join = (one: readonly string[], other: readonly string[]) => [...new Set([...one, ...other])];
  return {
    contactId: person.contactId,
    ids: join(person.ids, ids),
    identifiers: join(person.identifiers, identifiers),
    names: join(person.names, names),
  };
}
