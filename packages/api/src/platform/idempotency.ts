import type pg from 'pg';

/**
 * Runs an act once per key: whoever comes second, at the same time or later, gets the first answer and changes
 * nothing. `reused` when the key was used for something else. The key and what the act wrote commit together.
 */
export async function actOnce<Answer>(
  client: pg.PoolClient,
  { workspaceId, key, request }: { workspaceId: string; key: string; request: unknown },
  act: () => Promise<Answer>,
): Promise<{ answer: Answer; isRepeat: boolean } | 'reused'> {
  const requestHash = await hashText(JSON.stringify(request));
  // A second caller waits here until the first has committed or rolled back.
  const { rowCount } = await client.query(
    `INSERT INTO idempotency_keys (workspace_id, key, request_hash) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
    [workspaceId, key, requestHash],
  );
  if (rowCount === 0) {
    const { rows } = await client.query(
      'SELECT request_hash, response FROM idempotency_keys WHERE workspace_id = $1 AND key = $2',
      [workspaceId, key],
    );
    return rows[0]?.request_hash === requestHash ? { answer: rows[0].response, isRepeat: true } : 'reused';
  }
  const answer = await act();
  await client.query('UPDATE idempotency_keys SET response = $3 WHERE workspace_id = $1 AND key = $2', [
    workspaceId,
    key,
    JSON.stringify(answer),
  ]);
  return { answer, isRepeat: false };
}

async function hashText(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
