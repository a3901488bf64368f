import { useQueryClient } from '@tanstack/react-query';
import { CircleQuestionMark } from 'lucide-react';
import { api, orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { sendingErrorMessage } from '../sending/sending-failure.ts';
import { can } from '../../shared/session.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { questionBeforeSendingAgain } from './ask-to-send.ts';
import type { Campaign } from './campaigns-queries.ts';
import { useRemedies } from './use-campaign-actions.ts';

/** The one decision that the product never takes by itself: whether to send to somebody who may have got it already. */
export function UnknownRecipients({ campaign: { id, counts } }: { campaign: Campaign }) {
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const remediesOf = useRemedies();
  const resolve = useAction({
    mutationFn: (decision: 'send_again' | 'mark_sent') =>
      api.campaigns.resolveUnknown({ campaignId: id, decision }),
    onSuccess: ({ resolved }) => notify.success(t('campaigns.page.resolved', { n: resolved })),
    onError: (error) => notify.error(sendingErrorMessage(error)),
    onSettled: () => {
      for (const queryKey of [orpc.campaigns.get.key(), orpc.campaigns.listRecipients.key()]) {
        void queryClient.invalidateQueries({ queryKey });
      }
    },
  });

  async function sendAgain() {
    try {
      const question = await questionBeforeSendingAgain(queryClient, id, remediesOf(id));
      // Late reports may have settled it meanwhile.
      if (question === null) void queryClient.invalidateQueries({ queryKey: orpc.campaigns.key() });
      else if (await confirm(question)) resolve.mutate('send_again');
    } catch (error) {
      notify.error(sendingErrorMessage(error));
    }
  }

  async function countAsSent() {
    const isSure = await confirm({
      title: t('campaigns.page.markSentQuestion', { n: counts.unknown }),
      text: t('campaigns.page.markSentText'),
      confirmLabel: t('campaigns.page.markSent'),
      danger: false,
    });
    if (isSure) resolve.mutate('mark_sent');
  }

  const mayDecide = can('campaigns:update') && can('messages:create');
  return (
    <Banner
      tone="warning"
      icon={<CircleQuestionMark aria-hidden />}
      action={
        mayDecide ? (
          <span className="flex flex-wrap gap-2">
            <Button size="small" loading={resolve.isPending} onClick={() => void countAsSent()}>
              {t('campaigns.page.markSent')}
            </Button>
            <Button size="small" disabled={resolve.isPending} onClick={() => void sendAgain()}>
              {t('campaigns.page.sendAgain')}
            </Button>
          </span>
        ) : undefined
      }
    >
      {t('campaigns.page.unknown', { n: counts.unknown })}
      <span className="block text-sm font-normal">{t('campaigns.page.unknownHint')}</span>
    </Banner>
  );
}
