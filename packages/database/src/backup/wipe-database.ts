import type { SqlQueries } from '../sql-queries.ts';

/** What somebody should know before it is replaced; null where there is no product. */
export type Installed = {
  workspaces: string[];
  people: number;
  contacts: number;
};

/** What is in a database: nothing, an installation, or something else that nobody may wipe. */
export async function inspectDatabase(
  client: SqlQueries,
): Promise<{ is: 'empty' } | { is: 'foreign' } | ({ is: 'installed' } & Installed)> {
  const { rows } = await client.query<{ tables: number; is_ours: boolean }>(
    `SELECT (SELECT count(*)::integer FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
                AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')) AS tables,
            to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AND to_regclass('public.workspaces') IS NOT NULL AS is_ours`,
  );
  const { tables, is_ours: isOurs } = rows[0]!; // it is one row
  if (!isOurs) return tables === 0 ? { is: 'empty' } : { is: 'foreign' };
  const { rows: names } = await client.query<{ name: string }>(
    'SELECT name FROM workspaces ORDER BY created_at',
  );
  const { rows: counts } = await client.query<{
    people: number;
    contacts: number;
  }>(
    'SELECT (SELECT count(*)::integer FROM users) AS people, (SELECT count(*)::integer FROM contacts) AS contacts',
  );
  const { people, contacts } = counts[0]!; // it is one row
  if (names.length === 0 && people === 0) return { is: 'empty' };
  return {
    is: 'installed',
    workspaces: names.map(({ name }) => name),
    people,
    contacts,
  };
}

/** How many other programs are connected to this database at the moment. */
export async function countOthers(client: SqlQueries): Promise<number> {
  const { rows } = await client.query<{ others: number }>(
    `SELECT count(*)::integer AS others FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND usesysid IS NOT NULL`, // the server's own work has nobody
  );
  return rows[0]!.others;
}

/** Everything of the product goes, in the transaction that is open; what belongs to an extension stays. */
export async function wipeDatabase(client: SqlQueries): Promise<void> {
  await client.query(`DO $wipe$
    DECLARE
      found record;
    BEGIN
      DROP SCHEMA IF EXISTS jobs CASCADE;
      DROP SCHEMA IF EXISTS drizzle CASCADE;
      FOR found IN SELECT relname AS name, relkind AS kind FROM pg_class c
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm', 'r', 'p') AND NOT relispartition
          AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
      LOOP
        EXECUTE format('DROP %s IF EXISTS public.%I CASCADE',
          CASE found.kind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'TABLE' END, found.name);
      END LOOP;
      FOR found IN SELECT relname AS name FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind = 'S'
      LOOP
        EXECUTE format('DROP SEQUENCE IF EXISTS public.%I CASCADE', found.name);
      END LOOP;
      FOR found IN SELECT p.oid::regprocedure::text AS name FROM pg_proc p WHERE pronamespace = 'public'::regnamespace
          AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
      LOOP
        EXECUTE 'DROP ROUTINE IF EXISTS ' || found.name || ' CASCADE';
      END LOOP;
      FOR found IN SELECT typname AS name FROM pg_type t WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd')
          AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = t.oid AND d.deptype = 'e')
      LOOP
        EXECUTE format('DROP TYPE IF EXISTS public.%I CASCADE', found.name);
      END LOOP;
    END $wipe$`);
}
