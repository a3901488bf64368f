import { readHiddenStart } from '@app/domain/profile/hidden-start';
import { personOf } from '@app/domain/auth/caller';
import { offeredSteps, type StartStep } from '@app/domain/dashboard/getting-started';
import { standingOf } from '@app/domain/templates/platform-status';
import { readConnection, readTemplateReview } from '../channels/channel-connection.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';

type Parts = Pick<ApiDependencies, 'sandboxUrl' | 'channelKinds'>;

/** The first steps and which of them are done: to the first campaign, after which there are none, or through the sample. */
export async function readGettingStarted(scope: ReadScope, parts: Parts) {
  const { kind: connection } = await readConnection(scope, parts);
  const state = await readState(scope);
  const review = await readTemplateReview(scope, parts);
  const isDone: Record<StartStep, boolean> = {
    number: connection !== 'none',
    contacts: state.hasContacts,
    template: state.standings.some((word) => standingOf('approved', word, review) === 'approved'),
    phone: state.hasReceived,
    reply: state.hasReplied,
    campaign: state.hasSent,
    real: false, // the sample ends with it
  };
  const steps = offeredSteps(scope.caller.permissions, state.isSample).map((step) => ({
    step,
    isDone: isDone[step],
  }));
  const leads = (state.isSample || !state.hasSent) && steps.some((one) => !one.isDone);
  return {
    steps: leads ? steps : [],
    connection,
    phones: state.isSample ? (parts.sandboxUrl ?? null) : null,
    isHidden: readHiddenStart(state.preferences, scope.workspaceId),
  };
}

/** `standings`: the words of the platform for the templates that are approved here. What the sample was filled with does not count. */
async function readState(scope: ReadScope) {
  const { rows } = await scope.query<{
    isSample: boolean;
    hasContacts: boolean;
    hasSent: boolean;
    hasReceived: boolean;
    hasReplied: boolean;
    standings: (string | null)[];
    preferences: Record<string, unknown> | null;
  }>(
    `SELECT w.is_sample AS "isSample",
            (SELECT coalesce(sum(total), 0) > 0 FROM contact_counts WHERE workspace_id = w.id) AS "hasContacts",
            -- A run outlives its campaign, and one that can still be taken back is none yet.
            EXISTS (SELECT FROM delivery_runs r WHERE r.workspace_id = w.id AND (hold_until IS NULL OR hold_until < now())
                                                 AND (NOT w.is_sample OR r.created_at > w.created_at)) AS "hasSent",
            w.is_sample AND EXISTS (SELECT FROM messages m WHERE m.workspace_id = w.id AND direction = 'in'
                                                            AND occurred_at > w.created_at) AS "hasReceived",
            w.is_sample AND EXISTS (SELECT FROM messages m WHERE m.workspace_id = w.id AND author = 'person'
                                                            AND occurred_at > w.created_at) AS "hasReplied",
            ARRAY(SELECT DISTINCT platform_status FROM templates WHERE workspace_id = w.id AND status = 'approved') AS standings,
            (SELECT preferences FROM users WHERE id = $2) AS preferences
       FROM workspaces w WHERE w.id = $1`,
    [scope.workspaceId, personOf(scope.caller)],
  );
  return rows[0]!; // the caller's workspace
}
