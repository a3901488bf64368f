import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { allowsAction, type CampaignStatus } from '@app/domain/campaigns/campaign-status';
import { api, orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { notifyOfStart, TAKE_BACK_SECONDS } from '../sending/held-start.tsx';
import type { Remedies } from '../sending/obstacle-words.ts';
import { sendingErrorMessage } from '../sending/sending-failure.ts';
import { can } from '../../shared/session.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { notify } from '../../ui/toast.ts';
import { questionBeforeRetry, questionBeforeSending } from './ask-to-send.ts';
import type { Campaign } from './campaigns-queries.ts';

export type SendingAction = 'start' | 'pause' | 'resume' | 'cancel';

type Sending = { act: SendingAction; campaignId: string; version: number; allowMissingValues?: boolean };

/** The acts of a campaign, with their questions, notifications and what they change on the screen. */
export function useCampaignActions() {
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const remediesOf = useRemedies();

  function refresh() {
    for (const queryKey of [
      orpc.campaigns.list.key(),
      orpc.campaigns.summarize.key(),
      orpc.campaigns.listRecipients.key(),
      orpc.campaigns.preflight.key(),
      orpc.campaigns.preflightRetry.key(),
    ]) {
      void queryClient.invalidateQueries({ queryKey });
    }
  }

  const sending = useAction({
    mutationFn: ({ act, campaignId, version, allowMissingValues = false }: Sending) =>
      act === 'start'
        ? api.campaigns.start({
            ...{ campaignId, version, allowMissingValues, takeBackSeconds: TAKE_BACK_SECONDS },
          })
        : api.campaigns[act]({ campaignId }),
    onSuccess: (campaign, { act }) => {
      const { id: campaignId } = campaign;
      if (act === 'start') notifyOfStart(queryClient, t('campaigns.done.start'), { ...campaign, campaignId });
      else notify.success(t(`campaigns.done.${act}`));
      queryClient.setQueryData(orpc.campaigns.get.queryKey({ input: { campaignId } }), campaign);
    },
    onError: (error) => notify.error(sendingErrorMessage(error)),
    onSettled: refresh,
  });

  const removing = useAction({
    mutationFn: (campaignId: string) => api.campaigns.remove({ campaignId }),
    onSuccess: (_, campaignId) => {
      queryClient.removeQueries({ queryKey: orpc.campaigns.get.queryKey({ input: { campaignId } }) });
      notify.success(t('campaigns.done.delete'));
    },
    onError: (error) => notify.error(sendingErrorMessage(error)),
    onSettled: refresh,
  });

  const retrying = useAction({
    mutationFn: (input: { campaignId: string; allowMissingValues: boolean }) =>
      api.campaigns.retryFailed(input),
    onSuccess: () => notify.success(t('campaigns.done.retry')),
    onError: (error) => notify.error(sendingErrorMessage(error)),
    onSettled: refresh,
  });

  return {
    /** Asks first; answers with the campaign that sends again, or null. */
    async retryFailed({ id }: Campaign): Promise<Campaign | null> {
      try {
        const question = await questionBeforeRetry(queryClient, id, remediesOf(id));
        if (question === null) {
          notify.info(t('campaigns.retryNotNow'));
          return null;
        }
        if (!(await confirm(question.request))) return null;
        const input = { campaignId: id, allowMissingValues: question.values.isAllowed };
        return await retrying.mutateAsync(input).catch(() => null);
      } catch (error) {
        notify.error(sendingErrorMessage(error));
        return null;
      }
    },
    isRetrying: retrying.isPending,
    /** The act that is under way for this campaign. */
    pendingAction: (campaignId: string): SendingAction | undefined =>
      sending.isPending && sending.variables.campaignId === campaignId ? sending.variables.act : undefined,
    /** What sends asks first; a pause takes effect at once. */
    async act(act: Exclude<SendingAction, 'cancel'>, campaign: Campaign) {
      try {
        const { id: campaignId, version } = campaign;
        let allowMissingValues = false;
        if (act !== 'pause') {
          const { request, values } = await questionBeforeSending(
            queryClient,
            campaign,
            remediesOf(campaignId),
          );
          if (!(await confirm(request))) return;
          allowMissingValues = values.isAllowed;
        }
        sending.mutate({ act, campaignId, version, allowMissingValues });
      } catch (error) {
        notify.error(sendingErrorMessage(error));
      }
    },
    async cancel({ id, status, counts, version }: Campaign) {
      const isSure = await confirm({
        title: t('campaigns.cancelQuestion'),
        text:
          status === 'scheduled'
            ? t('campaigns.cancelScheduledText')
            : t('campaigns.cancelText', { n: counts.pending }),
        confirmLabel: t('campaigns.act.cancel'),
        cancelLabel: t('campaigns.keepCampaign'),
      });
      if (isSure) sending.mutate({ act: 'cancel', campaignId: id, version });
    },
    /** Answers whether it was deleted. */
    async remove({ id, status }: Campaign): Promise<boolean> {
      let isDeleted = false;
      await confirm({
        title: t('campaigns.deleteQuestion'),
        text: status === 'running' ? t('campaigns.deleteSending') : undefined,
        confirmLabel: t('common.delete'),
        work: () =>
          removing.mutateAsync(id).then(
            () => (isDeleted = true),
            () => undefined,
          ),
      });
      return isDeleted;
    },
  };
}

/** Where what stands in a campaign's way is mended: Settings, or its form. */
export function useRemedies(): (campaignId: string) => Remedies {
  const navigate = useNavigate();
  return (campaignId) => {
    const edit = can('campaigns:update')
      ? () => void navigate({ to: paths.campaign(campaignId), search: { form: 'edit' } })
      : undefined;
    return {
      settings: () => void navigate({ to: paths.settings, search: { tab: 'api' } }),
      ...(edit && { message: edit, audience: edit }),
    };
  };
}

/** The one act that a campaign in this status is waiting for, if the user may do it. */
export function mainAction(status: CampaignStatus): 'start' | 'pause' | 'resume' | null {
  const maySend = can('campaigns:update') && can('messages:create');
  if (allowsAction(status, 'start')) return maySend ? 'start' : null;
  if (allowsAction(status, 'pause')) return can('campaigns:update') ? 'pause' : null;
  return allowsAction(status, 'resume') && maySend ? 'resume' : null;
}
