import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { orpc, type api } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { notify } from '../../ui/toast.ts';
import type { KnownSegment } from '../sending/audience/segment-queries.ts';
import { obstacleOfStart, unlessObstacle, type Remedies } from '../sending/obstacle-words.ts';
import { sendingErrorMessage } from '../sending/sending-failure.ts';
import { askAboutValues } from '../sending/ask-about-values.ts';
import { budgetText, factsBeforeSending, inOne, warningsBeforeSending } from '../sending/start-question.ts';
import { choiceAboutValues } from '../sending/value-problems.ts';

type Asked = Parameters<typeof api.campaigns.preflight>[0];

/** The question before a bulk message leaves at once: to how many, at what cost and until when, as the server sees it now. */
export function useSendQuestion(remedies: Remedies) {
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const [isAsking, setAsking] = useState(false);
  async function isSure(
    asked: Asked,
    segments: readonly KnownSegment[],
  ): Promise<{ allowMissingValues: boolean } | null> {
    setAsking(true);
    try {
      const options = orpc.campaigns.preflight.queryOptions({ input: asked });
      // Never from what the browser read before: people decide by these figures.
      const preflight = await queryClient.fetchQuery({ ...options, staleTime: 0 });
      const obstacle = obstacleOfStart(preflight, remedies, segments);
      // The server refuses it and says why: nothing leaves without a question.
      if (preflight.receiving === 0 && !obstacle) return { allowMissingValues: false };
      const choice = choiceAboutValues(preflight);
      const isYes = await confirm({
        title: t('bulkMessage.sendQuestion', { n: preflight.receiving }),
        ...unlessObstacle(obstacle, inOne(t('bulkMessage.sendText'), budgetText(preflight))),
        warnings: obstacle ? [] : warningsBeforeSending(preflight),
        option: choice.option,
        facts: factsBeforeSending(preflight),
        confirmLabel: t('bulkMessage.send'),
        danger: false,
      });
      return isYes ? { allowMissingValues: choice.isAllowed } : null;
    } catch (error) {
      notify.error(sendingErrorMessage(error));
      return null;
    } finally {
      setAsking(false);
    }
  }
  /** The question before it is scheduled, where values are missing. */
  async function mayWait(asked: Asked): Promise<{ allowMissingValues: boolean } | null> {
    setAsking(true);
    const answer = await askAboutValues(queryClient, confirm, asked);
    setAsking(false);
    return answer;
  }
  return { isAsking, isSure, mayWait };
}
