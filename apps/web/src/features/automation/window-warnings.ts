import type { FlowFile } from '@app/domain/flows/flow-file';
import { findWindowRisks, type WindowRisk } from '@app/domain/flows/message-window';
import { stepsInOrder } from '@app/domain/flows/check-flow';
import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { stepName } from './flow-words.ts';

export type WindowRisks = readonly (WindowRisk & { hours: number })[];

/** Steps whose own text may be sent when the channel delivers only templates. None as long as the channels are not known. */
export function useWindowRisks(flow: FlowFile): WindowRisks {
  const { data } = useQuery(orpc.channels.list.queryOptions({ input: {} }));
  if (!data) return [];
  const hoursOf = (channelId: string | null) =>
    data.items.find((channel) => (channelId === null ? channel.isSender : channel.id === channelId))
      ?.capabilities.freeTextHours ?? null;
  const channelOf = new Map(flow.steps.map(({ id, config }) => [id, config['channel']]));
  return findWindowRisks(flow, hoursOf).map((risk) => {
    const channelId = channelOf.get(risk.stepId);
    return { ...risk, hours: hoursOf(typeof channelId === 'string' && channelId ? channelId : null) ?? 24 };
  });
}

/** At the step: why its text may not arrive, and what helps. */
export function windowRiskText({ reason, hours }: WindowRisks[number]): string {
  return t(`automation.window.${reason}`, { n: hours });
}

/** Before publishing: a line for each step. */
export function windowWarnings(flow: FlowFile, risks: WindowRisks): string[] {
  return stepsInOrder(flow).flatMap(({ id, type }, place) =>
    risks
      .filter(({ stepId }) => stepId === id)
      .map(({ hours }) =>
        t('automation.window.warning', {
          step: t('automation.stepTitle', { n: place + 1, name: stepName(type) }),
          n: hours,
        }),
      ),
  );
}
