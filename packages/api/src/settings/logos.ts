import { createHash } from 'node:crypto';
import { newId } from '@app/database/new-id';
import type { ChannelProfile, PlatformFile } from '@app/domain/channels/open-channel';
import { logoLimits } from '@app/domain/settings/logo';
import type { ApiDependencies, SignedInContext } from '../platform/request-context.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import { renderLogo } from './render-logo.ts';

const HOURS_UNUSED_KEPT = 24;

/** The same picture is kept once. Answers with its id. */
export async function keepLogo(scope: WorkspaceScope, content: Uint8Array): Promise<string> {
  const sha256 = createHash('sha256').update(content).digest('hex');
  const { rows } = await scope.query<{ id: string }>(
    `INSERT INTO logos (id, workspace_id, sha256, content, used_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (workspace_id, sha256) DO UPDATE SET used_at = excluded.used_at RETURNING id`,
    [newId(), scope.workspaceId, sha256, Buffer.from(content), scope.clock()],
  );
  return rows[0]!.id; // it was inserted, or is there
}

/** In the transaction that names it, so that it is not taken away as one that nobody names. False when it is not there. */
export async function useLogo(scope: WorkspaceScope, logo: string | null | undefined): Promise<boolean> {
  if (logo === null || logo === undefined) return true;
  const { rowCount } = await scope.query(
    'UPDATE logos SET used_at = $3 WHERE workspace_id = $1 AND id = $2',
    [scope.workspaceId, logo, scope.clock()],
  );
  return rowCount === 1;
}

export async function findLogo({ query, workspaceId }: ReadScope, logo: string): Promise<Buffer | null> {
  const { rows } = await query<{ content: Buffer }>(
    'SELECT content FROM logos WHERE workspace_id = $1 AND id = $2',
    [workspaceId, logo],
  );
  return rows[0]?.content ?? null;
}

/** As a platform takes it. */
export function asPlatformFile(content: Uint8Array): PlatformFile {
  return {
    ...{ name: 'logo.jpg', mimeType: 'image/jpeg', size: content.length },
    async *open(fromByte) {
      yield content.subarray(fromByte);
    },
  };
}

/** The picture that a platform shows, drawn as ours are; null where there is none, or none that can be had now. */
export async function takeLogo(
  { change }: Pick<SignedInContext, 'change'>,
  profile: ChannelProfile,
  address: string | null,
): Promise<string | null> {
  if (address === null) return null;
  const answer = await profile.readPicture(address, logoLimits.bytes);
  if (answer.outcome !== 'done') return null;
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of answer.value.content) pieces.push(piece);
  } catch {
    return null; // it broke off, or has no end: the words can be taken over all the same
  }
  // Platforms keep smaller ones than they ask for.
  const drawn = await renderLogo(Buffer.concat(pieces), 'crop', { leastSide: 1 });
  return drawn.outcome === 'drawn' ? change((scope) => keepLogo(scope, drawn.content)) : null;
}

/** Takes away what was sent and never saved, and what another picture has taken the place of. */
export async function deleteUnusedLogos({ db, clock }: ApiDependencies): Promise<void> {
  await db.systemPool.query(
    `DELETE FROM logos l USING workspaces w
      WHERE w.id = l.workspace_id AND l.used_at < $1 AND w.settings->>'logo' IS DISTINCT FROM l.id::text
        AND NOT EXISTS (SELECT FROM jsonb_each(w.settings->'numberProfiles') AS own WHERE own.value->>'logo' = l.id::text)`,
    [new Date(clock().getTime() - HOURS_UNUSED_KEPT * 3_600_000)],
  );
}
