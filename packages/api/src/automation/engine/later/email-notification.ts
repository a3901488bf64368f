import type { RunEffect } from '@app/flows/flow-host';
import { pageInWorkspace } from '@app/domain/workspaces/workspace-rules';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { JobGivenUp } from '../../../platform/jobs/job-failure.ts';
import { mailRules } from '../../../platform/jobs/mailer.ts';
import type { WorkspaceScope } from '../../../platform/workspace-scope.ts';
import type { EffectParts } from '../effects/effect-parts.ts';
import { beginLater, enqueueLater, laterEffect, putBackLater, settleLater } from './later-effect.ts';

/** Who gets it is decided now; where their mail goes is read when it leaves. */
export function emailNotification({ jobs }: EffectParts): RunEffect<WorkspaceScope> {
  return async (scope, asked) => {
    const userIds = await findMembers(scope, asked);
    if (userIds.length === 0) return { status: 'failed', code: 'recipient_missing' };
    await enqueueLater(scope, jobs, workflowMail, asked);
    const { subject, text } = asked.request as { subject: string; text: string };
    return { later: { messageId: null, request: { userIds, subject, text } } };
  };
}

/** Of a team each member gets a mail of their own, up to so many. */
const MOST_MAILS = 50;

async function findMembers(
  scope: WorkspaceScope,
  {
    request,
    run,
    contactId,
  }: { request: Readonly<Record<string, unknown>>; run: { flowId: string }; contactId: string | null },
): Promise<string[]> {
  const wanted: Record<string, [sql: string, value: unknown]> = {
    owner: ['SELECT owner_id FROM flows WHERE workspace_id = $1 AND id = $2', run.flowId],
    user: ['SELECT $2::uuid', request['id']],
    team: [
      'SELECT user_id FROM team_members WHERE workspace_id = $1 AND team_id = $2 AND NOT is_waiting',
      request['id'],
    ],
    assignee: [
      `(SELECT assignee_id FROM conversations WHERE workspace_id = $1 AND contact_id = $2 AND assignee_id IS NOT NULL
         ORDER BY last_activity_at DESC, id LIMIT 1)`,
      contactId,
    ],
  };
  const [sql, value] = wanted[String(request['to'])] ?? wanted['owner']!; // it is there
  if (value === null) return [];
  const { rows } = await scope.query<{ id: string }>(
    `SELECT user_id AS id FROM memberships WHERE workspace_id = $1 AND is_active AND user_id IN (${sql}) ORDER BY user_id LIMIT ${MOST_MAILS}`,
    [scope.workspaceId, value],
  );
  return rows.map(({ id }) => id);
}

type Request = { userIds: string[]; subject: string; text: string; sent?: string[] };

/**
 * One mail to each of them. A mail server that is away is tried again with those who have none yet; where a process died over a mail, nobody knows
 * whether it left, and the outcome is unknown.
 */
export const workflowMail = defineJob({
  ...mailRules,
  ...{ name: 'workflow-mail', as: 'caller', payload: laterEffect, repeat: 'once' },
  ...{ atOnce: 2, usefulSeconds: 24 * 3_600 },
  async run({ change, read, mailer, publicUrl }, { id, workspaceId, payload }) {
    const begun = await change((scope) => beginLater(scope, payload));
    if (!begun) return { sent: 0 };
    const { userIds, subject, text, sent = [] } = begun.request as Request; // stored above
    const { rows } = await read((scope) =>
      scope.query<{ id: string; email: string }>(
        `SELECT u.id, u.email FROM memberships m JOIN users u ON u.id = m.user_id
          WHERE m.workspace_id = $1 AND m.is_active AND u.id = ANY ($2::uuid[]) AND u.id <> ALL ($3::uuid[]) ORDER BY u.id`,
        [scope.workspaceId, userIds, sent],
      ),
    );
    const link = pageInWorkspace('/dashboard/automation', workspaceId ?? '');
    const reached = [...sent];
    try {
      for (const member of rows) {
        await mailer.send({
          ...{ id: `${id}-${member.id}`, to: member.email, subject },
          text: `${text}\n\n${begun.flowName}\n${publicUrl}${link}\n`,
        });
        reached.push(member.id);
      }
    } catch (error) {
      const isOver = error instanceof JobGivenUp;
      await change(async (scope) => {
        if (isOver) return settleLater(scope, payload, { status: 'failed', code: error.code });
        await scope.query(
          `UPDATE flow_effects SET request = request || $5 WHERE workspace_id = $1 AND run_id = $2 AND visit = $3 AND number = $4`,
          [
            ...[scope.workspaceId, payload.runId, payload.visit, payload.number],
            JSON.stringify({ sent: reached }),
          ],
        );
        await putBackLater(scope, payload);
      });
      throw error;
    }
    await change((scope) =>
      settleLater(scope, payload, { status: 'done', values: { mails: reached.length } }),
    );
    return { sent: reached.length };
  },
});
