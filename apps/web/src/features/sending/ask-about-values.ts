import type { PlannedAudience } from '@app/domain/delivery/audience';
import type { QueryClient } from '@tanstack/react-query';
import { orpc, type api } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import type { useConfirm } from '../../ui/overlays/confirm.tsx';
import { notify } from '../../ui/toast.ts';
import { sendingErrorMessage } from './sending-failure.ts';
import { warningsBeforeSending } from './start-question.ts';
import { choiceAboutValues } from './value-problems.ts';

type Asked = Pick<
  Parameters<typeof api.campaigns.preflight>[0],
  'message' | 'variables' | 'channelId' | 'quietHours'
> & { audience: PlannedAudience };

/**
 * The question before a message is scheduled of which some have no values: it leaves later without another one. Answers null when somebody
 * goes back, and when the check fails, which it says. Where no value is missing nobody is asked.
 */
export async function askAboutValues(
  queryClient: QueryClient,
  confirm: ReturnType<typeof useConfirm>,
  asked: Asked,
): Promise<{ allowMissingValues: boolean } | null> {
  const { message, variables, audience, channelId, quietHours } = asked;
  if ('failedOf' in audience) return { allowMissingValues: false };
  const input = { message, variables, audience, channelId, quietHours };
  const options = orpc.campaigns.preflight.queryOptions({ input });
  const preflight = await queryClient.fetchQuery({ ...options, staleTime: 0 }).catch((error: unknown) => {
    notify.error(sendingErrorMessage(error));
    return null;
  });
  if (!preflight) return null;
  const choice = choiceAboutValues(preflight);
  if (!choice.option) return { allowMissingValues: false };
  const isSure = await confirm({
    title: t('sending.values.scheduleQuestion'),
    warnings: warningsBeforeSending(preflight),
    option: choice.option,
    confirmLabel: t('sending.values.schedule'),
    danger: false,
  });
  return isSure ? { allowMissingValues: choice.isAllowed } : null;
}
