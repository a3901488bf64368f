import { randomBytes } from 'node:crypto';
import type { SqlQueries } from '../sql-queries.ts';
import { SEALED } from './left-out.ts';

/** Seals and opens with the key of one installation. */
export type Sealer = {
  seal(plain: string): Promise<string>;
  open(sealed: string): Promise<string>;
};

/** One secret in plain text: it only ever stands in a file that a passphrase closes. */
export type SealedValue = {
  table: string;
  id: string;
  name: string | null;
  value: string;
};

type Row = { id: string; sealed: string | Record<string, string> | null };

/** All that is sealed, or what is of one workspace, opened. What the key does not open is counted and left where it is. */
export async function readSecrets(
  client: SqlQueries,
  secrets: Pick<Sealer, 'open'>,
  workspaceId: string | null = null,
): Promise<{ values: SealedValue[]; locked: number }> {
  const values: SealedValue[] = [];
  let locked = 0;
  for (const { table, key, column, field } of SEALED) {
    // Second steps are of people, who bring none along; secrets of workflows and of other services are entered again.
    if (workspaceId && table !== 'channels') continue;
    const which = workspaceId ? 'WHERE workspace_id = $1' : '';
    const { rows } = await client.query<Row>(
      `SELECT ${key}::text AS id, ${field ? `${column} -> '${field}'` : column} AS sealed FROM ${table} ${which} ORDER BY 1`,
      workspaceId ? [workspaceId] : [],
    );
    for (const { id, sealed } of rows)
      for (const [name, text] of typeof sealed === 'string'
        ? [[null, sealed] as const]
        : Object.entries(sealed ?? {})) {
        const value = await secrets.open(text).catch(() => null);
        if (value === null) locked += 1;
        else values.push({ table, id, name, value });
      }
  }
  return { values, locked };
}

/**
 * Seals with the key of this installation what came along. Where a secret did not come along stands one that nobody knows, and its channel
 * waits to be connected anew: neither can anybody sign for it nor does anything leave. Answers with how many channels that are.
 */
export async function writeSecrets(
  client: SqlQueries,
  values: readonly SealedValue[],
  secrets: Pick<Sealer, 'seal'>,
): Promise<{ channels: number }> {
  const channels = await writeChannelSecrets(client, values, secrets);
  for (const { id, value } of values.filter(({ table }) => table === 'two_factor'))
    await client.query('UPDATE two_factor SET secret_sealed = $2 WHERE user_id = $1', [
      id,
      await secrets.seal(value),
    ]);
  await client.query(`DELETE FROM two_factor WHERE secret_sealed = ''`);
  for (const { id, value } of values.filter(({ table }) => table === 'flow_secrets'))
    await client.query('UPDATE flow_secrets SET sealed = $2 WHERE id = $1', [id, await secrets.seal(value)]);
  await writeIntegrationSecrets(client, values, secrets);
  // A step whose secret did not come along fails, and says that it is to be entered again.
  await client.query(`DELETE FROM flow_secrets WHERE sealed = ''`);
  return { channels };
}

/** A service whose secret did not come along is disconnected: people connect it anew. */
async function writeIntegrationSecrets(
  client: SqlQueries,
  values: readonly SealedValue[],
  secrets: Pick<Sealer, 'seal'>,
): Promise<void> {
  const ofServices = values.filter(({ table }) => table === 'integrations');
  for (const { id, name, value } of ofServices)
    await client.query(
      `UPDATE integrations SET credentials = jsonb_set(credentials, ARRAY['secrets', $2::text], to_jsonb($3::text)) WHERE id = $1`,
      [id, name, await secrets.seal(value)],
    );
  await client.query(
    `UPDATE integrations SET credentials = NULL, status = 'disconnected', next_run_at = NULL
      WHERE EXISTS (SELECT FROM jsonb_each_text(credentials -> 'secrets') AS s WHERE s.value = '')`,
  );
}

/** The same of the channels that the connection sees. Answers with how many of them wait to be connected anew. */
export async function writeChannelSecrets(
  client: SqlQueries,
  values: readonly SealedValue[],
  secrets: Pick<Sealer, 'seal'>,
): Promise<number> {
  const known = new Map(
    values.flatMap(({ table, id, name, value }) =>
      table === 'channels' ? [[`${id} ${name ?? ''}`, value]] : [],
    ),
  );
  const { rows } = await client.query<{ id: string; names: string[] }>(
    `SELECT id::text AS id, ARRAY(SELECT jsonb_object_keys(credentials -> 'secrets')) AS names FROM channels`,
  );
  let channels = 0;
  for (const { id, names } of rows) {
    const sealed: Record<string, string> = {};
    let isWhole = true;
    for (const name of names) {
      const value = known.get(`${id} ${name}`);
      isWhole &&= value !== undefined;
      sealed[name] = await secrets.seal(value ?? randomBytes(32).toString('base64url'));
    }
    await client.query(
      `UPDATE channels SET credentials = jsonb_set(credentials, '{secrets}', $2::jsonb), is_connected = is_connected AND $3 WHERE id = $1`,
      [id, JSON.stringify(sealed), isWhole],
    );
    if (!isWhole) channels += 1;
  }
  return channels;
}
