import { listChannels, senderOf, type Channel } from '@app/database/channels/find-channel';
import { codeOfRejection } from '@app/domain/messaging/delivery-error-messages';
import { z } from 'zod';
import { defineJob } from '../platform/jobs/define-job.ts';
import type { Jobs } from '../platform/jobs/enqueue-job.ts';
import type { PlatformAnswer } from '@app/domain/channels/platform-answer';
import type { BusinessCategory } from '@app/domain/settings/general-settings';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import { asPlatformFile, findLogo } from './logos.ts';
import { readProfiles, readShownProfile } from './shown-profile.ts';

export const pushStates = ['none', 'waiting', 'done', 'refused', 'unreachable'] as const;
export type PushState = (typeof pushStates)[number];
type Ended = Exclude<PushState, 'none' | 'waiting'>;

/** Where the profile stands at the platform of the number through which the workspace sends. */
export type ProfileState = {
  /** Null without a connected number. */
  channel: { kind: string; displayName: string | null } | null;
  state: PushState;
  /** Why the platform refused it: a code with words in the catalogues, and a sentence for who reads none. */
  code: string | null;
  reason: string | null;
  /** Ours is empty and the platform takes no empty one: its own still stands there. */
  keepsAbout: boolean;
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
        // Where nobody chose one it says nothing against what stands there.
        const isNewCategory = shown.category !== (wish.category ?? NO_CATEGORY);
        return { version: wish.version, profile: shown, picture, isNewCategory };
      });
      if (!wanted) return { outcome: 'not_connected' };
      const { profile } = await messageSender.open(channelId);
      if (!profile) return { outcome: 'unsupported' };
      const { picture, isNewCategory } = wanted;
      const answer = await profile.write(wanted.profile, {
        ...{ picture: picture && asPlatformFile(picture), isNewCategory },
      });
      const end: Ended = answer.outcome;
      const isLast = await change(async (scope) => {
        if (end === 'done' && picture) await noteLogo(scope, channelId, wanted.profile.logo);
        if (end === 'done') await noteCategory(scope, channelId, wanted.profile.category);
        return settle(scope, channelId, wanted.version, answer);
      });
      // Tried again after a pause, as long as there are attempts.
      if (end === 'unreachable') throw new PlatformAway();
      if (isLast) return { outcome: end };
    }
    return { outcome: 'waiting' };
  },
});

/** What a workspace begins with. */
const NO_CATEGORY: BusinessCategory = 'other';
/** Nobody saves so quickly; the next save leaves a job of its own. */
const MOST_ROUNDS = 5;

/** In the transaction of the act; `isWhole` with the picture and the category, also where they were handed over before. False without a number that could show a profile. */
export async function enqueueProfile(
  jobs: Jobs,
  scope: WorkspaceScope,
  version: number,
  { channelId, isWhole = false }: { channelId?: string | undefined; isWhole?: boolean } = {},
): Promise<boolean> {
  const channel = await findNumber(scope, channelId);
  if (!channel?.isConnected) return false;
  await scope.query(
    `INSERT INTO profile_pushes (channel_id, workspace_id, version, state, changed_at) VALUES ($1, $2, $3, 'waiting', $4)
     ON CONFLICT (channel_id) DO UPDATE SET version = $3, state = 'waiting', code = NULL, reason = NULL, changed_at = $4,
       logo_id = CASE WHEN $5 THEN NULL ELSE profile_pushes.logo_id END,
       category = CASE WHEN $5 THEN NULL ELSE profile_pushes.category END`,
    [channel.id, scope.workspaceId, version, scope.clock(), isWhole],
  );
  await jobs.enqueue(scope, pushProfile, channel.id, { channelId: channel.id });
  return true;
}

/** The same for every number that shows what the workspace says of itself; false without any. */
export async function enqueueProfiles(
  jobs: Jobs,
  scope: WorkspaceScope,
  version: number,
  { isWhole = false } = {},
): Promise<boolean> {
  const all = await listChannels(scope.tx, scope.workspaceId);
  const { profiles } = await readProfiles(scope);
  const those = all.filter(({ id, isConnected }) => isConnected && profiles[id] === undefined);
  for (const { id } of those) await enqueueProfile(jobs, scope, version, { channelId: id, isWhole });
  return those.length > 0;
}

export async function findProfileState(scope: ReadScope, channelId?: string): Promise<ProfileState> {
  const channel = await findNumber(scope, channelId);
  if (!channel?.isConnected) return describePush(null, undefined);
  return describePush(channel, (await findPushes(scope)).get(channel.id));
}

export type NumberState = ProfileState & { channelId: string; isOwn: boolean };

/** The same for each connected number, and whether it shows a profile of its own. */
export async function findAllProfileStates(scope: ReadScope): Promise<NumberState[]> {
  const pushes = await findPushes(scope);
  const { profiles } = await readProfiles(scope);
  return (await listChannels(scope.tx, scope.workspaceId))
    .filter(({ isConnected }) => isConnected)
    .map((channel) => ({
      ...{ channelId: channel.id, isOwn: profiles[channel.id] !== undefined },
      ...describePush(channel, pushes.get(channel.id)),
    }));
}

type Push = {
  channel_id: string;
  state: PushState;
  code: string | null;
  reason: string | null;
  keeps_about: boolean;
  changed_at: Date;
};

async function findPushes({ query, workspaceId }: ReadScope): Promise<Map<string, Push>> {
  const { rows } = await query<Push>(
    'SELECT channel_id, state, code, reason, keeps_about, changed_at FROM profile_pushes WHERE workspace_id = $1',
    [workspaceId],
  );
  return new Map(rows.map((push) => [push.channel_id, push]));
}

function describePush(channel: Channel | null, push: Push | undefined): ProfileState {
  return {
    channel: channel && { kind: channel.kind, displayName: channel.displayName || null },
    state: push?.state ?? 'none',
    code: push?.code ?? null,
    reason: push?.reason ?? null,
    keepsAbout: push?.state === 'done' && push.keeps_about,
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
  const { rows } = await query<{ version: number; logo_id: string | null; category: string | null }>(
    `SELECT p.version, p.logo_id, p.category FROM profile_pushes p JOIN channels c ON c.id = p.channel_id AND c.is_connected
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

async function noteCategory(scope: WorkspaceScope, channelId: string, category: string): Promise<void> {
  await scope.query('UPDATE profile_pushes SET category = $3 WHERE workspace_id = $1 AND channel_id = $2', [
    scope.workspaceId,
    channelId,
    category,
  ]);
}

/** False when another version was saved meanwhile, which is not there yet. */
async function settle(
  scope: WorkspaceScope,
  channelId: string,
  version: number,
  answer: PlatformAnswer<{ keptAbout: boolean }>,
): Promise<boolean> {
  const end: Ended = answer.outcome;
  const refusal = answer.outcome === 'refused' ? answer : null;
  const keepsAbout = answer.outcome === 'done' && answer.value.keptAbout;
  const { rowCount } = await scope.query(
    `UPDATE profile_pushes SET state = $4, code = $5, reason = $6, keeps_about = $7, changed_at = $8
      WHERE workspace_id = $1 AND channel_id = $2 AND version = $3`,
    [
      ...[scope.workspaceId, channelId, version, end],
      ...[refusal && codeOfRejection(refusal), refusal?.reason.slice(0, 500) ?? null],
      ...[keepsAbout, scope.clock()],
    ],
  );
  await scope.emit({ type: 'settings.profile_pushed', subject: scope.workspaceId, values: { outcome: end } });
  return rowCount === 1;
}

class PlatformAway extends Error {
  override name = 'PlatformAway';
}
