import { listChannels, senderOf, type Channel } from '@app/database/channels/find-channel';
import { z } from 'zod';
import { defineJob } from '../platform/jobs/define-job.ts';
import type { Jobs } from '../platform/jobs/enqueue-job.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import { asPlatformFile, findLogo } from './logos.ts';
import { readShownProfile } from './shown-profile.ts';

export const pushStates = ['none', 'waiting', 'done', 'refused', 'unreachable'] as const;
export type PushState = (typeof pushStates)[number];
type Ended = Exclude<PushState, 'none' | 'waiting'>;

/** Where the profile stands at the platform of the number through which the workspace sends. */
export type ProfileState = {
  /** Null without a connected number. */
  channel: { kind: string; displayName: string | null } | null;
  state: PushState;
  /** The platform's reason, as a sentence. */
  reason: string | null;
  changedAt: string | null;
};

/** Hands the profile as it is then to the platform. A save in the meantime is handed over as well. */
export const pushProfile = defineJob({
  name: 'push-profile',
  as: 'upkeep',
  payload: z.object({ channelId: z.uuid() }),
  repeat: 'while-waiting',
  ...{ attempts: 4, pauseSeconds: 5, longestPauseSeconds: 30, timeoutSeconds: 60, atOnce: 2 },
  async run({ read, change, messageSender }, { payload: { channelId } }) {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const wanted = await read(async (scope) => {
        const wish = await findWanted(scope, channelId);
        if (!wish) return null;
        const shown = await readShownProfile(scope, channelId);
        const isNew = shown.logo !== null && shown.logo !== wish.logo_id;
        const picture = isNew && shown.logo ? await findLogo(scope, shown.logo) : null;
        return { version: wish.version, profile: shown, picture };
      });
      if (!wanted) return { outcome: 'not_connected' };
      const { profile } = await messageSender.open(channelId);
      if (!profile) return { outcome: 'unsupported' };
      const { picture } = wanted;
      const answer = await profile.write(wanted.profile, picture && asPlatformFile(picture));
      const end: Ended = answer.outcome;
      const reason = answer.outcome === 'refused' ? answer.reason : null;
      const isLast = await change(async (scope) => {
        if (end === 'done' && picture) await noteLogo(scope, channelId, wanted.profile.logo);
        return settle(scope, channelId, { version: wanted.version, end, reason });
      });
      // Tried again after a pause, as long as there are attempts.
      if (end === 'unreachable') throw new PlatformAway();
      if (isLast) return { outcome: end };
    }
    return { outcome: 'waiting' };
  },
});

/** Nobody saves so quickly; the next save leaves a job of its own. */
const MOST_ROUNDS = 5;

/** In the transaction of the act; `isWhole` with the picture, also where it was handed over before. False without a number that could show a profile. */
export async function leaveProfile(
  jobs: Jobs,
  scope: WorkspaceScope,
  version: number,
  { channelId, isWhole = false }: { channelId?: string | undefined; isWhole?: boolean } = {},
): Promise<boolean> {
  const channel = await findNumber(scope, channelId);
  if (!channel?.isConnected) return false;
  await scope.query(
    `INSERT INTO profile_pushes (channel_id, workspace_id, version, state, changed_at) VALUES ($1, $2, $3, 'waiting', $4)
     ON CONFLICT (channel_id) DO UPDATE SET version = $3, state = 'waiting', reason = NULL, changed_at = $4,
       logo_id = CASE WHEN $5 THEN NULL ELSE profile_pushes.logo_id END`,
    [channel.id, scope.workspaceId, version, scope.clock(), isWhole],
  );
  await jobs.enqueue(scope, pushProfile, channel.id, { channelId: channel.id });
  return true;
}

export async function findProfileState(scope: ReadScope, channelId?: string): Promise<ProfileState> {
  const channel = await findNumber(scope, channelId);
  if (!channel?.isConnected) return { channel: null, state: 'none', reason: null, changedAt: null };
  const { rows } = await scope.query<{ state: PushState; reason: string | null; changed_at: Date }>(
    'SELECT state, reason, changed_at FROM profile_pushes WHERE workspace_id = $1 AND channel_id = $2',
    [scope.workspaceId, channel.id],
  );
  const [push] = rows;
  return {
    channel: { kind: channel.kind, displayName: channel.displayName || null },
    state: push?.state ?? 'none',
    reason: push?.reason ?? null,
    changedAt: push?.changed_at.toISOString() ?? null,
  };
}

/** The one that is named, else that through which the workspace sends. */
export async function findNumber(
  { tx, workspaceId }: ReadScope,
  channelId?: string,
): Promise<Channel | null> {
  const all = await listChannels(tx, workspaceId);
  return channelId === undefined ? senderOf(all) : (all.find(({ id }) => id === channelId) ?? null);
}

/** Which version is to stand there, and the picture that does; null when nothing is, or the number is not connected any more. */
async function findWanted({ query, workspaceId }: ReadScope, channelId: string) {
  const { rows } = await query<{ version: number; logo_id: string | null }>(
    `SELECT p.version, p.logo_id FROM profile_pushes p JOIN channels c ON c.id = p.channel_id AND c.is_connected
      WHERE p.workspace_id = $1 AND p.channel_id = $2`,
    [workspaceId, channelId],
  );
  return rows[0] ?? null;
}

/** Whatever was saved meanwhile: this picture stands there. */
async function noteLogo(scope: WorkspaceScope, channelId: string, logo: string | null): Promise<void> {
  await scope.query('UPDATE profile_pushes SET logo_id = $3 WHERE workspace_id = $1 AND channel_id = $2', [
    scope.workspaceId,
    channelId,
    logo,
  ]);
}

/** False when another version was saved meanwhile, which is not there yet. */
async function settle(
  scope: WorkspaceScope,
  channelId: string,
  { version, end, reason }: { version: number; end: Ended; reason: string | null },
): Promise<boolean> {
  const { rowCount } = await scope.query(
    `UPDATE profile_pushes SET state = $4, reason = $5, changed_at = $6
      WHERE workspace_id = $1 AND channel_id = $2 AND version = $3`,
    [scope.workspaceId, channelId, version, end, reason?.slice(0, 500) ?? null, scope.clock()],
  );
  await scope.tell({ type: 'settings.profile_pushed', subject: scope.workspaceId, values: { outcome: end } });
  return rowCount === 1;
}

class PlatformAway extends Error {
  override name = 'PlatformAway';
}
