import { listChannels } from '@app/database/channels/find-channel';
import { STANDING_MINUTES } from '@app/domain/channels/number-standing';
import { z } from 'zod';
import type { FactConsumer } from '../platform/facts/fact-consumer.ts';
import { defineJob, every } from '../platform/jobs/define-job.ts';
import { sweepEach } from '../platform/jobs/sweep-each.ts';
import { changeAsSystem } from '../platform/system-work.ts';
import { withDesk } from './account-desk.ts';
import { findConnectable } from './connection-view.ts';
import { keepStanding } from './keep-standing.ts';

/** Asks the platform what it thinks of a number: nothing else tells that its quality dropped. */
export const askNumber = defineJob({
  name: 'ask-number',
  as: 'upkeep',
  payload: z.object({ channelId: z.uuid() }),
  repeat: 'while-open',
  // It comes again in a few minutes, as long as something leaves.
  ...{ attempts: 2, pauseSeconds: 10, longestPauseSeconds: 10, timeoutSeconds: 60, atOnce: 4 },
  async run(parts, { payload: { channelId } }) {
    const all = await parts.read(({ tx, workspaceId }) => listChannels(tx, workspaceId));
    const channel = all.find(({ id }) => id === channelId);
    if (!channel?.isConnected || !findConnectable(parts, channel.kind)) return { outcome: 'not_connected' };
    const at = parts.clock();
    const answer = await withDesk(parts, channel, (desk) => desk.number(channel.address));
    if (answer.outcome !== 'done') return { outcome: answer.outcome };
    await parts.change((scope) => keepStanding(scope, channelId, answer.value, { at, isWhole: true }));
    return { outcome: 'done', quality: answer.value.quality };
  },
});

/** Leaves that job for each number through which a campaign leaves, or is about to. */
export const askedNumbers = every(STANDING_MINUTES * 60, {
  name: 'numbers-asked',
  timeoutSeconds: 120,
  afterStartSeconds: 10,
  async run(parts) {
    const soon = new Date(parts.clock().getTime() + STANDING_MINUTES * 60_000);
    const { rows } = await parts.db.systemPool.query<{ id: string; workspace_id: string }>(
      `SELECT c.id, c.workspace_id FROM channels c
        WHERE c.is_connected AND (
          EXISTS (SELECT FROM delivery_runs r
                   WHERE r.channel_id = c.id AND r.completed_at IS NULL AND r.state IN ('ready', 'running'))
          OR EXISTS (SELECT FROM campaigns s
                      WHERE s.workspace_id = c.workspace_id AND s.status = 'scheduled' AND s.run_no IS NULL
                        AND s.scheduled_at <= $1 AND coalesce(s.channel_id, c.id) = c.id))
        ORDER BY c.id`,
      [soon],
    );
    await sweepEach(parts, rows, ({ id, workspace_id: workspaceId }) =>
      changeAsSystem(parts, 'upkeep', workspaceId, (scope) =>
        parts.jobs.enqueue(scope, askNumber, id, { channelId: id }),
      ),
    );
    return { numbers: rows.length };
  },
});

/** A campaign begins, or goes on: what is known of its number is asked for anew where it is old. */
export const askAtStart: FactConsumer = {
  name: 'numbers-at-start',
  order: 'none',
  atDepthLimit: 'hear',
  types: ['campaign.started', 'campaign.resumed'],
  async handle(page, facts, { jobs }) {
    const known = new Date(page.clock().getTime() - STANDING_MINUTES * 60_000);
    const { rows } = await page.query<{ id: string; campaign_id: string }>(
      `SELECT DISTINCT ON (c.id) c.id, r.campaign_id FROM delivery_runs r JOIN channels c ON c.id = r.channel_id
        WHERE r.workspace_id = $1 AND r.campaign_id = ANY ($2::uuid[]) AND c.is_connected
          AND (c.asked_at IS NULL OR c.asked_at < $3)`,
      [page.workspaceId, facts.map(({ subject }) => subject), known],
    );
    for (const { id, campaign_id: campaignId } of rows) {
      const led = facts.find(({ subject }) => subject === campaignId)!; // the query names them alone
      await jobs?.enqueue(page.causedBy(led), askNumber, id, { channelId: id });
    }
  },
};
