import { listChannels, type Channel } from '@app/database/channels/find-channel';
import { ENDS_SOON_MS, type ConnectionCheck } from '@app/domain/channels/channel-connector';
import { z } from 'zod';
import { defineJob, every } from '../platform/jobs/define-job.ts';
import { openFields } from '../platform/stored-credentials.ts';
import { sweepEach } from '../platform/jobs/sweep-each.ts';
import { changeAsSystem } from '../platform/system-work.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { keepProof, type CheckParts } from './check-connection.ts';
import { findConnectable } from './connection-view.ts';

const DAY_MS = 24 * 3_600_000;

/**
 * Proves each day what opens the numbers of one workspace, and tells of what ends soon: nothing else says of a number that works that its token is
 * about to end.
 */
export const proveNumbers = defineJob({
  name: 'prove-numbers',
  as: 'upkeep',
  payload: z.object({}),
  repeat: 'while-open',
  // It comes again within the hour.
  ...{ attempts: 2, pauseSeconds: 10, longestPauseSeconds: 10, timeoutSeconds: 300, atOnce: 2 },
  async run(parts) {
    const now = parts.clock();
    const all = await parts.read(({ tx, workspaceId }) => listChannels(tx, workspaceId));
    // Numbers of one account are mostly opened by one token: it is asked about once.
    const asked = new Map<string, Promise<ConnectionCheck>>();
    let proven = 0;
    for (const channel of all.filter((one) => isDue(one, now)))
      proven += Number(await proveNumber(parts, channel, asked));
    const ending = await parts.change((scope) => emitEndings(scope, now));
    return { proven, ending };
  },
});

function isDue({ isConnected, provenAt }: Channel, now: Date): boolean {
  return isConnected && (provenAt === null || provenAt.getTime() <= now.getTime() - DAY_MS);
}

async function proveNumber(
  parts: CheckParts,
  channel: Channel,
  asked: Map<string, Promise<ConnectionCheck>>,
): Promise<boolean> {
  const kind = findConnectable(parts, channel.kind);
  if (!kind) return false;
  const { prove, server, least, addressField } = kind.connector;
  const opened = await openFields(kind.credentials, channel.credentials, parts.secrets);
  const opening = [server.field, ...least.filter((field) => field !== addressField)];
  // What is in trouble is tried whole: the trouble may be of any value.
  const tried =
    channel.trouble === null
      ? Object.fromEntries(opening.map((field) => [field, opened[field] ?? '']))
      : opened;
  const key = JSON.stringify(tried);
  const answer = asked.get(key) ?? prove(tried);
  asked.set(key, answer);
  const proof = await answer;
  // The platform is away or busy: it is asked again within the hour.
  if (proof.fields.some(({ problem }) => problem === 'platform_away' || problem === 'platform_busy'))
    return false;
  await keepProof(parts, channel, proof);
  await changeAsSystem(parts, 'upkeep', channel.workspaceId, (scope) =>
    scope.query('UPDATE channels SET proven_at = $3 WHERE workspace_id = $1 AND id = $2', [
      ...[scope.workspaceId, channel.id, scope.clock()],
    ]),
  );
  return true;
}

/** Each end once, and none of what is told of as trouble. Answers with how many it told of. */
async function emitEndings(scope: WorkspaceScope, now: Date): Promise<number> {
  const { rows } = await scope.query<{ id: string }>(
    `UPDATE channels SET told_end_at = credentials_end_at
      WHERE workspace_id = $1 AND ${ENDING('$2', '$3')} RETURNING id`,
    [scope.workspaceId, now, new Date(now.getTime() + ENDS_SOON_MS)],
  );
  for (const { id } of rows)
    await scope.emit({
      ...{ type: 'channel.checked', subject: id },
      values: { problem: 'token_ends_soon', problemBefore: 'none' },
    });
  return rows.length;
}

const ENDING = (now: string, soon: string) =>
  `is_connected AND trouble IS NULL AND credentials_end_at > ${now} AND credentials_end_at < ${soon}
      AND told_end_at IS DISTINCT FROM credentials_end_at`;

/** Leaves that job for each workspace with a number that nobody proved for a day, or of whose end nobody was told. */
export const provenNumbers = every(3_600, {
  name: 'numbers-proven',
  timeoutSeconds: 120,
  afterStartSeconds: 30,
  async run(parts) {
    const now = parts.clock();
    const { rows } = await parts.db.systemPool.query<{ workspace_id: string }>(
      `SELECT DISTINCT workspace_id FROM channels
        WHERE is_connected AND (proven_at IS NULL OR proven_at <= $3 OR (${ENDING('$1', '$2')})) ORDER BY 1`,
      [now, new Date(now.getTime() + ENDS_SOON_MS), new Date(now.getTime() - DAY_MS)],
    );
    await sweepEach(parts, rows, ({ workspace_id: id }) =>
      changeAsSystem(parts, 'upkeep', id, (scope) => parts.jobs.enqueue(scope, proveNumbers, 'numbers', {})),
    );
    return { workspaces: rows.length };
  },
});
