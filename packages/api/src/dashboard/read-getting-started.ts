import { readHiddenStart } from '@app/domain/profile/hidden-start';
import { personOf } from '@app/domain/auth/caller';
import { offeredSteps, type StartStep } from '@app/domain/dashboard/getting-started';
import { standingOf } from '@app/domain/templates/platform-status';
import { readConnection, readTemplateReview } from '../channels/channel-connection.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';

type Parts = Pick<ApiDependencies, 'sandboxUrl' | 'channelKinds'>;

/** How far the workspace is on the way to its first campaign. It leads nowhere any more once one was sent. */
export async function readGettingStarted(scope: ReadScope, parts: Parts) {
  const { kind: connection } = await readConnection(scope, parts);
  const state = await readState(scope);
  const review = await readTemplateReview(scope, parts);
  const isDone: Record<StartStep, boolean> = {
    number: connection !== 'none',
    contacts: state.hasContacts,
    template: state.standings.some((word) => standingOf('approved', word, review) === 'approved'),
    campaign: state.hasSent,
  };
  const steps = offeredSteps(scope.caller.permissions).map((step) => ({ step, isDone: isDone[step] }));
  const leads = !state.hasSent && steps.some((one) => !one.isDone);
  return {
    steps: leads ? steps : [],
    connection,
    isHidden: readHiddenStart(state.preferences, scope.workspaceId),
  };
}

/** `standings`: the words of the platform for the templates that are approved here. */
async function readState(scope: ReadScope) {
  const { rows } = await scope.query<{
    hasContacts: boolean;
    hasSent: boolean;
    standings: (string | null)[];
    preferences: Record<string, unknown> | null;
  }>(
    `SELECT (SELECT coalesce(sum(total), 0) > 0 FROM contact_counts WHERE workspace_id = $1) AS "hasContacts",
            -- A run outlives its campaign, and one that can still be taken back is none yet.
            EXISTS (SELECT FROM delivery_runs WHERE workspace_id = $1 AND (hold_until IS NULL OR hold_until < now())) AS "hasSent",
            ARRAY(SELECT DISTINCT platform_status FROM templates WHERE workspace_id = $1 AND status = 'approved') AS standings,
            (SELECT preferences FROM users WHERE id = $2) AS preferences`,
    [scope.workspaceId, personOf(scope.caller)],
  );
  return rows[0]!; // one row of values
}
