import { botLimits } from '@app/domain/chatbot/bot-settings';
import { t } from '../../shared/messages.ts';
import { Switch } from '../../ui/controls/switch.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, Textarea } from '../../ui/input.tsx';
import type { BotSettings } from './chatbot-queries.ts';

export type HandoffValues = Pick<BotSettings, 'tellsWaitingTime' | 'waitingMessage' | 'resumeAfterHours'>;

/** What a customer hears about the wait, and how long the bot stays silent. */
export function HandoffSettings({
  values: { tellsWaitingTime, waitingMessage, resumeAfterHours },
  problem,
  onChange,
}: {
  values: HandoffValues;
  problem: string | null;
  onChange: (change: Partial<HandoffValues>) => void;
}) {
  return (
    <>
      <Switch
        label={t('chatbot.tellsWait')}
        hint={t('chatbot.tellsWaitHint')}
        checked={tellsWaitingTime}
        onChange={(event) => onChange({ tellsWaitingTime: event.currentTarget.checked })}
      />
      {tellsWaitingTime ? (
        <Field
          label={t('chatbot.waitingMessage')}
          hint={t('chatbot.waitingMessageHint')}
          error={problem === 'waitingMessage' ? t('chatbot.problem.waitingMessage') : undefined}
        >
          <Textarea
            rows={2}
            value={waitingMessage}
            onChange={(event) => onChange({ waitingMessage: event.currentTarget.value })}
          />
        </Field>
      ) : null}
      <Field
        label={t('chatbot.resumeAfter')}
        hint={t('chatbot.resumeAfterHint')}
        error={
          problem === 'resumeAfterHours'
            ? t('chatbot.problem.limit', { n: botLimits.resumeAfterHours })
            : undefined
        }
      >
        <Input
          type="number"
          inputMode="numeric"
          className="max-w-40"
          min={1}
          max={botLimits.resumeAfterHours}
          value={resumeAfterHours ?? ''}
          onChange={({ currentTarget: { value, valueAsNumber } }) =>
            onChange({ resumeAfterHours: value === '' ? null : valueAsNumber })
          }
        />
      </Field>
    </>
  );
}

/** The field that keeps it from being saved; null for none. */
export function findHandoffProblem({
  waitingMessage,
  resumeAfterHours,
}: HandoffValues): 'waitingMessage' | 'resumeAfterHours' | null {
  const text = waitingMessage.trim();
  if (text.length > botLimits.waitingMessage || (text !== '' && !text.includes('{{time}}')))
    return 'waitingMessage';
  const isRight =
    resumeAfterHours === null ||
    (Number.isInteger(resumeAfterHours) &&
      resumeAfterHours >= 1 &&
      resumeAfterHours <= botLimits.resumeAfterHours);
  return isRight ? null : 'resumeAfterHours';
}
