import type { ReadScope, WorkspaceScope } from '../workspace-scope.ts';

/** A person of a workspace, by all that they are and were known by. */
export type Person = {
  /** The contact that was asked for. */
  contactId: string;
  /** That one, those that were merged into it, and earlier ones of the same person that are gone; no other contact that is there. */
  ids: readonly string[];
  /** Phone numbers, with their plus, and ids of the platform. */
  identifiers: readonly string[];
  names: readonly string[];
};

export type KnownOfPerson = Partial<Pick<Person, 'ids' | 'identifiers' | 'names'>>;

/** Several contacts that become one. */
export type Merge = { survivorId: string; otherIds: readonly string[] };

/** One that becomes several again; they are there by then, as they were. */
export type Unmerge = {
  survivorId: string;
  mergedAt: Date;
  parts: readonly { contactId: string; identifiers: readonly string[] }[];
};

/** What a feature must know to take back what it did for a merge: JSON, of ids and times alone. */
export type Moved = object;

/** Rows of one section, some at a time, in the words in which a person is told what is held about them. */
export type ExportPage = { rows: readonly object[]; next: string | null };

export type TableOfPerson =
  /** A section of the file that a person gets, under this name. `after` is the `next` of the page before. */
  | {
      section: string;
      read(scope: ReadScope, person: Person, after: string | null): Promise<ExportPage>;
    }
  /** Why the file has nothing of it. */
  | { leftOut: string };

/**
 * What a feature does with its rows about people. Whoever erases somebody, merges contacts or answers what is held about a
 * person calls all features that hand this in, and reaches into nobody's tables.
 */
export type PersonData = {
  /** Each of its tables with rows about people. */
  tables: Readonly<Record<string, TableOfPerson>>;
  /** Locks that everybody takes before those of contacts. */
  lock?(scope: WorkspaceScope, contactIds: readonly string[]): Promise<void>;
  /** By what else it knows the person. Asked until nobody knows more, because what one feature knows may help another. */
  identify?(scope: ReadScope, person: Person): Promise<KnownOfPerson>;
  /** Takes everything away that tells who it was; what must be counted stays, of nobody. */
  erase(scope: WorkspaceScope, person: Person): Promise<void>;
  /** Gives the rows of the others to the one that stays, before the others go; answers with what `unmerge` needs. Null where rows stay as they are. */
  merge: ((scope: WorkspaceScope, merge: Merge) => Promise<Moved>) | null;
  unmerge: ((scope: WorkspaceScope, unmerge: Unmerge, moved: Moved) => Promise<void>) | null;
};

/** The person's numbers without the platform's ids. */
export function phonesOf({ identifiers }: Pick<Person, 'identifiers'>): string[] {
  return identifiers.filter((identifier) => identifier.startsWith('+'));
}

/** Stands where the name or number of an erased person stood. */
export const ERASED = '(erased)';
