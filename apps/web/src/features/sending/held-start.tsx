import type { QueryClient } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { Timer } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { pressOnce, useAction } from '../../shared/actions/use-action.ts';
import { api, orpc, readFailure } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify, shownToasts } from '../../ui/toast.ts';
import { endOfHold, type Held } from './end-of-hold.ts';
import { sendingErrorMessage } from './sending-failure.ts';

/** For so long the server lets nothing of a start leave that somebody pressed. */
export const TAKE_BACK_SECONDS = 5;

/** The notification of each start that has the way back: while it stands, no page offers it beside. */
const toastOf = new Map<string, number>();

/** Whoever started it, and whoever may start campaigns. */
const mayTakeBack = (campaignId: string) =>
  toastOf.has(campaignId) || (can('campaigns:update') && can('messages:create'));

/** Tells of a start; while the server holds it, with the way back. `onTakenBack` when it was one. */
export function notifyOfStart(
  queryClient: QueryClient,
  title: string,
  held: Held,
  onTakenBack?: () => void,
): void {
  const endsAt = endOfHold(held);
  if (endsAt <= Date.now()) {
    notify.success(title);
    return;
  }
  const { campaignId } = held;
  const takeBack = () =>
    takeBackStart(queryClient, campaignId).then((isTaken) => {
      if (isTaken) onTakenBack?.();
    });
  const toast = notify.success(title, {
    text: t('sending.held.text'),
    endsAt,
    action: { label: t('sending.held.takeBack'), onSelect: () => void takeBack(), isUndo: true },
  });
  toastOf.set(campaignId, toast);
}

/** The same on the page of the campaign. */
export function HeldStart({ held, cameAt }: { held: Held; cameAt: number }) {
  const seconds = useSecondsHeld(held, cameAt);
  if (seconds === 0 || !mayTakeBack(held.campaignId)) return null;
  return (
    <Banner tone="info" icon={<Timer aria-hidden />} action={<TakeBackButton campaignId={held.campaignId} />}>
      {t('sending.held.banner', { n: seconds })}
    </Banner>
  );
}

/** The way back where its notification was closed, or is not here. */
export function TakeBackButton({
  campaignId,
  onTakenBack,
}: {
  campaignId: string;
  onTakenBack?: (() => void) | undefined;
}) {
  const queryClient = useQueryClient();
  const toasts = useSyncExternalStore(shownToasts.subscribe, shownToasts.read);
  const taking = useAction({
    mutationFn: () => takeBackStart(queryClient, campaignId),
    onSuccess: (isTaken) => {
      if (isTaken) onTakenBack?.();
    },
  });
  if (toasts.some(({ id }) => id === toastOf.get(campaignId))) return null;
  return (
    <Button size="small" loading={taking.isPending} onClick={() => taking.mutate()}>
      {t('sending.held.takeBack')}
    </Button>
  );
}

/** Whether it was taken back; tells either. The server alone decides whether it still can be. */
async function takeBackStart(queryClient: QueryClient, campaignId: string): Promise<boolean> {
  try {
    const campaign = await pressOnce(`take back ${campaignId}`, () => api.campaigns.takeBack({ campaignId }));
    queryClient.setQueryData(orpc.campaigns.get.queryKey({ input: { campaignId } }), campaign);
    notify.success(t('sending.held.done'));
    return true;
  } catch (error) {
    const isTooLate = readFailure(error).code === 'campaign_already_sending';
    notify.error(sendingErrorMessage(error), {
      ...(isTooLate &&
        can('campaigns:update') && {
          duration: 12_000,
          action: {
            label: t('sending.held.pause'),
            onSelect: () => void pauseInstead(queryClient, campaignId),
          },
        }),
    });
    return false;
  } finally {
    void queryClient.invalidateQueries({ queryKey: orpc.campaigns.key() });
  }
}

async function pauseInstead(queryClient: QueryClient, campaignId: string): Promise<void> {
  try {
    await api.campaigns.pause({ campaignId });
    notify.success(t('sending.held.paused'));
  } catch (error) {
    notify.error(sendingErrorMessage(error));
  } finally {
    void queryClient.invalidateQueries({ queryKey: orpc.campaigns.key() });
  }
}

/** Whole seconds of the hold that are left, for the eye alone; 0 once it is over. */
export function useSecondsHeld(held: Held, cameAt?: number): number {
  const [now, setNow] = useState(Date.now);
  const seconds = Math.max(0, Math.ceil((endOfHold(held, cameAt) - now) / 1000));
  useEffect(() => {
    if (seconds === 0) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [seconds]);
  return seconds;
}
