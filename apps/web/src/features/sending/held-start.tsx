import type { QueryClient } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { Timer } from 'lucide-react';
import { useEffect, useState } from 'react';
import { pressOnce, useAct } from '../../shared/acts/use-act.ts';
import { api, orpc, readFailure } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { sendingFailureText } from './sending-failure.ts';

/** For so long the server lets nothing of a start leave that somebody pressed. */
export const TAKE_BACK_SECONDS = 5;

const mayTakeBack = () => can('campaigns:create') && can('messages:create');

type Held = { campaignId: string; heldUntil: string | null };

/** Those whose notification here has the way back. */
const toldHere = new Set<string>();

/** Tells of a start; while the server holds it, with the way back. `onTakenBack` when it was one. */
export function notifyOfStart(
  queryClient: QueryClient,
  title: string,
  { campaignId, heldUntil }: Held,
  onTakenBack?: () => void,
): void {
  const left = heldUntil === null ? 0 : msLeft(heldUntil);
  if (left <= 0 || !mayTakeBack()) {
    notify.success(title);
    return;
  }
  toldHere.add(campaignId);
  setTimeout(() => toldHere.delete(campaignId), left);
  const takeBack = () =>
    takeBackStart(queryClient, campaignId).then((isTaken) => {
      if (isTaken) onTakenBack?.();
    });
  notify.success(title, {
    text: t('sending.held.text'),
    endsAt: Date.now() + left,
    action: { label: t('sending.held.takeBack'), onSelect: () => void takeBack(), isUndo: true },
  });
}

/** The same on the page of the campaign, for whoever comes to it otherwise. */
export function HeldStart({ campaignId, heldUntil }: Held) {
  const queryClient = useQueryClient();
  const seconds = useSecondsLeft(heldUntil);
  const taking = useAct({ mutationFn: () => takeBackStart(queryClient, campaignId) });
  if (seconds === 0 || toldHere.has(campaignId) || !mayTakeBack()) return null;
  return (
    <Banner
      tone="info"
      icon={<Timer aria-hidden />}
      action={
        <Button size="small" loading={taking.isPending} onClick={() => taking.mutate()}>
          {t('sending.held.takeBack')}
        </Button>
      }
    >
      {t('sending.held.banner', { n: seconds })}
    </Banner>
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
    notify.error(sendingFailureText(error), {
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
    notify.error(sendingFailureText(error));
  } finally {
    void queryClient.invalidateQueries({ queryKey: orpc.campaigns.key() });
  }
}

/** Whole seconds of the hold that are left, for the eye alone; 0 once it is over. */
function useSecondsLeft(heldUntil: string | null): number {
  const [now, setNow] = useState(Date.now);
  const seconds = heldUntil === null ? 0 : Math.max(0, Math.ceil(msLeft(heldUntil, now) / 1000));
  useEffect(() => {
    if (seconds === 0) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [seconds]);
  return seconds;
}

/** Never more than the server gives, whatever the clock of this device says. */
function msLeft(heldUntil: string, now = Date.now()): number {
  const left = Date.parse(heldUntil) - now;
  return left > TAKE_BACK_SECONDS * 1000 ? TAKE_BACK_SECONDS * 1000 : left;
}
