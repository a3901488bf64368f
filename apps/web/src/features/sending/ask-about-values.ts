import type { QueryClient } from '@tanstack/react-query';
import { orpc, type api } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import type { useConfirm } from '../../ui/overlays/confirm.tsx';
import { warningsBeforeSending } from './start-question.ts';
import { choiceAboutValues } from './value-problems.ts';

type Asked = Parameters<typeof api.campaigns.preflight>[0];

/**
 * The question before a message is scheduled of which some have no values: it leaves later without another one. Answers null when somebody
 * goes back. Where no value is missing nobody is asked.
 */
export async function askAboutValues(
  queryClient: QueryClient,
  confirm: ReturnType<typeof useConfirm>,
  asked: Asked,
): Promise<{ allowMissingValues: boolean } | null> {
  const options = orpc.campaigns.preflight.queryOptions({ input: asked });
  const preflight = await queryClient.fetchQuery({ ...options, staleTime: 0 });
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
