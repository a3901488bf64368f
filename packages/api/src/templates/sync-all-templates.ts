import { z } from 'zod';
import { readReviewer } from '../channels/channel-connection.ts';
import { checkAfter } from '../channels/check-connection.ts';
import { defineJob, every } from '../platform/jobs/define-job.ts';
import { sweepEach } from '../platform/jobs/sweep-each.ts';
import { changeAsSystem } from '../platform/system-work.ts';
import { syncTemplates } from './sync-templates.ts';

/** Brings the templates of one workspace in line with the platform. */
export const workspaceTemplateSync = defineJob({
  name: 'workspace-template-sync',
  as: 'upkeep',
  payload: z.object({}),
  repeat: 'while-open',
  // It comes again in a few minutes.
  ...{ attempts: 2, pauseSeconds: 10, longestPauseSeconds: 10, timeoutSeconds: 300, atOnce: 2 },
  async run(parts, { workspaceId }) {
    const { kind, channel } = await parts.read((scope) => readReviewer(scope, parts));
    if (kind === 'none' || !channel) return { outcome: 'not_connected' };
    const answer = await syncTemplates(parts, { channelId: channel.id, kind });
    await checkAfter(parts, channel, answer);
    if (answer.outcome === 'done') return answer;
    parts.logger.warn({ workspaceId, outcome: answer.outcome }, 'templates could not be synced');
    return { outcome: answer.outcome };
  },
});

/**
 * Leaves that job for every connected workspace, because webhooks get lost and the sandbox begins empty. One whose platform
 * is slow or away holds up no other.
 */
export const templateSync = every(5 * 60, {
  name: 'template-sync',
  timeoutSeconds: 300,
  // What the platform decided while we were away.
  afterStartSeconds: 5,
  async run(parts) {
    const { rows } = await parts.db.systemPool.query<{ workspace_id: string }>(
      'SELECT DISTINCT workspace_id FROM channels WHERE is_connected ORDER BY 1',
    );
    await sweepEach(parts, rows, ({ workspace_id: id }) =>
      changeAsSystem(parts, 'upkeep', id, (scope) =>
        parts.jobs.enqueue(scope, workspaceTemplateSync, 'templates', {}),
      ),
    );
    return { workspaces: rows.length };
  },
});
