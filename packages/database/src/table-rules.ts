import type { ColumnRule } from './backup/read-in/column-rules.ts';

/**
 * What happens to the rows of one table wherever all tables are treated alike. It is declared once, in `<feature>/<feature>-table-rules.ts`: an archive
 * of a workspace, Clear All and a file of data that replaces what is here all read it.
 */
export type TableRule = {
  /** Why it holds nothing about contacts. Without it, the `personData` of its feature says what it does with its rows. */
  readonly noContacts?: string;
} & (WorkspaceTableRule | { readonly isOfInstallation: true });

/** Of a table whose rows belong to a workspace. */
export type WorkspaceTableRule = { readonly archive: ArchiveRule; readonly clear: ClearRule };

/** Rules of the tables of one feature, by their names. */
export type TableRules = Readonly<Record<string, TableRule>>;

/** What an archive of one workspace does with the rows. */
export type ArchiveRule =
  /** It holds them, and they replace the rows of the workspace that it is read into. */
  | MovedTable
  /** It holds them, and reading it leaves the rows here as they are. */
  | { readonly how: 'stay'; readonly because: string }
  /** It holds them. Reading it deletes the rows here, and something else makes them again. */
  | { readonly how: 'recount'; readonly because: string }
  /** It does not hold them. */
  | { readonly how: 'leave-out'; readonly because: string };

export type MovedTable = {
  readonly how: 'move';
  /** Each column that holds an id, a number of the installation or a key of the file store, and those that are held back. All others come as they are. */
  readonly columns: Readonly<Record<string, ColumnRule>>;
  /** Only an archive that was taken here brings them back; the reason why no other one does. */
  readonly onlyBack?: string;
  /** Which rows come, as a condition on the staged row `s`. The others belong to nothing any more. */
  readonly where?: string;
  /** A trigger deletes them with the run that they belong to. */
  readonly goesWithItsRun?: true;
};

/** What Clear All does with the rows. */
export type ClearRule =
  | {
      readonly how: 'delete';
      /** Tables that are emptied before this one: rows there refer to it, or their deletion writes into it. */
      readonly after?: readonly string[];
      /** Which rows go, as a condition; `$1` is the workspace. The others belong to contacts that stay. */
      readonly where?: string;
      /** Why a file of data that replaces what is here leaves them as they are. Without it, they go for the file too. */
      readonly keptForFile?: string;
    }
  /** They go with a row of another table or with a contact, by a foreign key or a trigger. */
  | { readonly how: 'cascade' }
  | { readonly how: 'keep'; readonly because: string };

/** A rule and the name of its table. */
export type NamedRule<Rule> = readonly [table: string, rule: Rule];

/** The rules of tables whose rows belong to a workspace, in the order in which they are declared. */
export function listWorkspaceTables(
  features: Readonly<Record<string, TableRules>>,
): NamedRule<WorkspaceTableRule>[] {
  return Object.values(features).flatMap((rules) =>
    Object.entries(rules).flatMap(([table, rule]) => ('archive' in rule ? [[table, rule] as const] : [])),
  );
}

/**
 * Names in an order in which each comes after those that its `after` names.
 * @throws {Error} when two wait for each other, or when one waits for a name that is not among them
 */
export function orderByAfter(items: readonly NamedRule<{ readonly after?: readonly string[] }>[]): string[] {
  const rules = new Map(items);
  const ordered = new Set<string>();
  const visit = (name: string, path: readonly string[]): void => {
    if (ordered.has(name)) return;
    const rule = rules.get(name);
    if (!rule || path.includes(name))
      throw new Error(`No order of tables: ${[...path, name].join(' after ')}`);
    for (const before of rule.after ?? []) visit(before, [...path, name]);
    ordered.add(name);
  };
  for (const [name] of items) visit(name, []);
  return [...ordered];
}
