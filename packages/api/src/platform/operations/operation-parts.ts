import type { SqlQueries } from '@app/database/sql-queries';

type Place = { workspaceId: string; operationId: string };

/** Keeps one piece of a file that came with an act, or comes of it. The same piece again changes nothing. */
export async function keepPart(
  client: SqlQueries,
  { workspaceId, operationId }: Place,
  part: number,
  bytes: Uint8Array,
): Promise<void> {
  await client.query(
    `INSERT INTO operation_parts (workspace_id, operation_id, part, bytes) VALUES ($1, $2, $3, $4)
     ON CONFLICT (operation_id, part) DO UPDATE SET bytes = excluded.bytes`,
    [workspaceId, operationId, part, bytes],
  );
}

/** Keeps the rows (`part`, `bytes`) of a query, whose values are numbered from one. */
export async function keepParts(
  client: SqlQueries,
  { workspaceId, operationId }: Place,
  query: string,
  values: readonly unknown[],
): Promise<void> {
  const [workspace, act] = [values.length + 1, values.length + 2];
  await client.query(
    `INSERT INTO operation_parts (workspace_id, operation_id, part, bytes)
     SELECT $${workspace}::uuid, $${act}::uuid, part, bytes FROM (${query}) AS made
     ON CONFLICT (operation_id, part) DO UPDATE SET bytes = excluded.bytes`,
    [...values, workspaceId, operationId],
  );
}

/** Null behind the last one. */
export async function readPart(
  client: SqlQueries,
  { workspaceId, operationId }: Place,
  part: number,
): Promise<Uint8Array | null> {
  const { rows } = await client.query<{ bytes: Uint8Array }>(
    'SELECT bytes FROM operation_parts WHERE workspace_id = $1 AND operation_id = $2 AND part = $3',
    [workspaceId, operationId, part],
  );
  return rows[0]?.bytes ?? null;
}

/** How many bytes a file has. */
export async function sizeOfParts(client: SqlQueries, place: Place): Promise<number> {
  return (await measureParts(client, place)).reduce((sum, size) => sum + size, 0);
}

/** Beside the pieces of its file an act may keep what it is made of: such parts count down from here. */
export const FIRST_BESIDE = -1;

/** What it was made of goes once the file is whole. */
export async function deletePartsBeside(
  client: SqlQueries,
  { workspaceId, operationId }: Place,
): Promise<void> {
  await client.query(
    'DELETE FROM operation_parts WHERE workspace_id = $1 AND operation_id = $2 AND part < 0',
    [workspaceId, operationId],
  );
}

/** A file from one of its bytes to before another, a piece after the other; without an end all that follows. */
export async function* readParts(
  client: SqlQueries,
  place: Place,
  { from = 0, to = Number.POSITIVE_INFINITY }: { from?: number | undefined; to?: number | undefined },
): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const [part, size] of (await measureParts(client, place)).entries()) {
    if (start >= to) return;
    if (start + size > from) {
      const bytes = await readPart(client, place, part);
      if (!bytes) return;
      yield bytes.subarray(Math.max(0, from - start), Math.min(size, to - start));
    }
    start += size;
  }
}

async function measureParts(client: SqlQueries, { workspaceId, operationId }: Place): Promise<number[]> {
  const { rows } = await client.query<{ size: number }>(
    'SELECT octet_length(bytes) AS size FROM operation_parts WHERE workspace_id = $1 AND operation_id = $2 AND part >= 0 ORDER BY part',
    [workspaceId, operationId],
  );
  return rows.map(({ size }) => size);
}

export async function deleteParts(client: SqlQueries, { workspaceId, operationId }: Place): Promise<void> {
  await client.query('DELETE FROM operation_parts WHERE workspace_id = $1 AND operation_id = $2', [
    workspaceId,
    operationId,
  ]);
}
