import type { RunEffect } from '@app/flows/flow-host';
import { addToCampaign as add } from '../../../campaigns/add-to-campaign.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import type { WorkspaceScope } from '../../../platform/workspace-scope.ts';
import type { EffectParts } from '../effects/effect-parts.ts';
import { beginLater, enqueueLater, laterEffect, settleLater } from './later-effect.ts';

/** In a transaction of its own: a start of the campaign holds its row and waits for contacts, which the step holds. */
export function addToCampaign({ jobs }: EffectParts): RunEffect<WorkspaceScope> {
  return async (scope, asked) => {
    const { contactId, request } = asked;
    if (contactId === null) return { status: 'failed', code: 'contact_missing' };
    await enqueueLater(scope, jobs, workflowCampaign, asked);
    return { later: { messageId: null, request: { contactId, campaignId: String(request['campaignId']) } } };
  };
}

/** Begins and ends in one transaction, so that it happens once whatever dies. */
export const workflowCampaign = defineJob({
  ...{ name: 'workflow-campaign', as: 'caller', payload: laterEffect, repeat: 'once' },
  ...{ attempts: 10, pauseSeconds: 2, longestPauseSeconds: 60, timeoutSeconds: 60, atOnce: 2 },
  run: ({ change }, { payload }) =>
    change(async (scope) => {
      const begun = await beginLater(scope, payload);
      if (!begun) return { outcome: 'none' };
      const { contactId, campaignId } = begun.request as { contactId: string; campaignId: string }; // stored above
      const code = await add(scope, { contactId, campaignId });
      await settleLater(scope, payload, code === null ? { status: 'done' } : { status: 'failed', code });
      return { outcome: code ?? 'added' };
    }),
});
