export type Source = { path: string; text: string };
export type TableWrite = { path: string; table: string };

/** A name that is put together while the product runs: nobody can say whose table it is. */
export const ANY_TABLE = '${…}';

const SQL_WRITE =
  /\b(?:INSERT\s+INTO|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE(?:\s+TABLE)?|COPY|UPDATE)\s+(?:ONLY\s+)?(?:public\.)?("?[a-z_]+(?:\.[a-z_]+)?"?|\$\{)/gi;
const BUILDER_WRITE = /\.(?:insert|update|delete)\(\s*(\w+)\s*\)/g;
const TABLES_IMPORT = /import\s*\{([^}]*)\}\s*from\s*'[^']*-tables(?:\.ts)?'/g;
const TABLE_CONSTANT = /export const (\w+) = pgTable\(\s*'(\w+)'/g;

/** The tables that the query builder knows, by the constants of `*-tables.ts`. */
export function readTableConstants(sources: readonly Source[]): ReadonlyMap<string, string> {
  return new Map(
    sources
      .filter(({ path }) => path.endsWith('-tables.ts'))
      .flatMap(({ text }) =>
        [...text.matchAll(TABLE_CONSTANT)].map(([, name = '', table = '']) => [name, table]),
      ),
  );
}

/** Which of the tables a file writes, by SQL of its own or by the query builder; also where it writes one whose name nobody can see. */
export function findTableWrites(
  { path, text }: Source,
  tables: ReadonlySet<string>,
  constants: ReadonlyMap<string, string>,
): TableWrite[] {
  const bySql = [...text.matchAll(SQL_WRITE)].flatMap(([, name = '']) =>
    name === '${' ? ANY_TABLE : name.replaceAll('"', '').toLowerCase(),
  );
  const names = readImportedTables(text, constants);
  const byBuilder = [...text.matchAll(BUILDER_WRITE)].flatMap(([, name = '']) => names.get(name) ?? []);
  const written = new Set([...bySql, ...byBuilder]);
  return [...written]
    .filter((table) => table === ANY_TABLE || tables.has(table))
    .map((table) => ({ path, table }));
}

/** By the name that the file gives them. */
function readImportedTables(text: string, constants: ReadonlyMap<string, string>): Map<string, string> {
  return new Map(
    [...text.matchAll(TABLES_IMPORT)].flatMap(([, list = '']) =>
      list.split(',').flatMap((one) => {
        const [name = '', alias = name] = one
          .trim()
          .replace(/^type /, '')
          .split(/\s+as\s+/);
        const table = constants.get(name);
        return table === undefined ? [] : [[alias, table] as const];
      }),
    ),
  );
}

/** The feature in whose folder a file stands; the engines are one in every folder of their packages. */
export function featureOf(path: string): string | null {
  if (path.startsWith('packages/delivery/src/')) return 'delivery';
  if (path.startsWith('packages/flows/src/')) return 'automation';
  return /^packages\/(?:api|database)\/src\/([\w-]+)\//.exec(path)?.[1] ?? null;
}
