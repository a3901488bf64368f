import type { PlannedAudience } from '@app/domain/delivery/audience';
import { useQueryClient } from '@tanstack/react-query';
import { api, orpc } from '../../shared/api.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { messageOfCampaign } from './campaign-contents.tsx';
import type { CampaignFormValues, toCampaignInput } from './campaign-form-values.ts';
import type { CampaignDetails } from './campaigns-queries.ts';

type NewCampaign = NonNullable<ReturnType<typeof toCampaignInput>>;
/** A retry keeps its audience, which nobody can choose, when it is renamed. */
export type CampaignInput = Omit<
  NewCampaign,
  'audience' | 'fallback' | 'abTest' | 'bestTime' | 'countsLinks'
> & {
  fallback?: NewCampaign['fallback'];
  abTest?: NewCampaign['abTest'];
  bestTime?: boolean;
  countsLinks?: boolean;
  audience: PlannedAudience;
  allowMissingValues?: boolean;
};

/** What is stored, under another name and with other quiet hours: all that a campaign takes once sending began. */
export function renamed(
  campaign: CampaignDetails,
  { name, quietHours }: CampaignFormValues,
): CampaignInput | null {
  const { variables, audience, scheduledAt, channelId } = campaign;
  const message = messageOfCampaign(campaign);
  return (
    message && {
      ...{ name: name.trim(), quietHours, message, variables, audience, status: 'draft', scheduledAt },
      channelId,
    }
  );
}

/** One key for all tries of this form, also when the input changes between them: they create one campaign. */
export function useSaveCampaign(campaign: CampaignDetails | undefined, idempotencyKey: string | undefined) {
  const queryClient = useQueryClient();
  return useAction({
    mutationFn: ({ audience, ...input }: CampaignInput) => {
      if (campaign)
        return api.campaigns.update({
          ...{ ...input, audience, campaignId: campaign.id, version: campaign.version },
        });
      if ('failedOf' in audience) throw new Error('A new campaign needs an audience that was chosen.');
      return api.campaigns.create(
        { ...input, audience },
        { context: idempotencyKey === undefined ? {} : { idempotencyKey } },
      );
    },
    // What was refused is looked at anew, so that the form shows why.
    onError: () => {
      void queryClient.invalidateQueries({ queryKey: orpc.campaigns.preflight.key() });
      void queryClient.invalidateQueries({ queryKey: orpc.segments.list.key() });
    },
    onSuccess: (saved) => {
      queryClient.setQueryData(orpc.campaigns.get.queryKey({ input: { campaignId: saved.id } }), saved);
      for (const queryKey of [orpc.campaigns.list.key(), orpc.campaigns.summarize.key()]) {
        void queryClient.invalidateQueries({ queryKey });
      }
    },
  });
}
