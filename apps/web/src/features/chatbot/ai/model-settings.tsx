import { botLimits } from '@app/domain/chatbot/bot-settings';
import { t } from '../../../shared/messages.ts';
import { Slider } from '../../../ui/controls/slider.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { Field } from '../../../ui/field.tsx';
import { Input, Textarea } from '../../../ui/input.tsx';
import type { BotSettings } from '../chatbot-queries.ts';

type ModelValues = Pick<
  BotSettings,
  | 'confidenceThreshold'
  | 'businessFacts'
  | 'masksPersonalData'
  | 'modelTokensPerDay'
  | 'modelAnswersPerConversation'
>;

/** How sure a model must be, what it may say, and what it may cost. */
export function ModelSettings({
  values,
  problem,
  onChange,
}: {
  values: ModelValues;
  problem: string | null;
  onChange: (change: Partial<ModelValues>) => void;
}) {
  return (
    <>
      <Field label={t('chatbot.confidenceThreshold')} hint={t('chatbot.confidenceHint')}>
        <Slider
          min={0}
          max={1}
          step={0.1}
          value={values.confidenceThreshold}
          format={(value) => value.toFixed(1)}
          onChange={(event) =>
            onChange({ confidenceThreshold: Math.round(event.currentTarget.valueAsNumber * 10) / 10 })
          }
        />
      </Field>
      <Field
        label={t('chatbot.facts')}
        hint={t('chatbot.factsHint')}
        aside={`${values.businessFacts.trim().length}/${botLimits.businessFacts}`}
        error={problem === 'businessFacts' ? t('chatbot.problem.facts') : undefined}
      >
        <Textarea
          rows={4}
          value={values.businessFacts}
          onChange={(event) => onChange({ businessFacts: event.currentTarget.value })}
        />
      </Field>
      <details>
        <summary className="cursor-pointer font-medium">{t('chatbot.ai.limits')}</summary>
        <div className="mt-3 flex flex-col gap-4">
          <Switch
            label={t('chatbot.masks')}
            hint={t('chatbot.masksHint')}
            checked={values.masksPersonalData}
            onChange={(event) => onChange({ masksPersonalData: event.currentTarget.checked })}
          />
          {(['modelTokensPerDay', 'modelAnswersPerConversation'] as const).map((name) => (
            <Field
              key={name}
              label={t(`chatbot.${name}`)}
              hint={t(`chatbot.${name}Hint`)}
              error={problem === name ? t('chatbot.problem.limit', { n: botLimits[name] }) : undefined}
            >
              <Input
                type="number"
                inputMode="numeric"
                className="max-w-44"
                min={name === 'modelTokensPerDay' ? 0 : 1}
                max={botLimits[name]}
                value={Number.isNaN(values[name]) ? '' : values[name]}
                onChange={(event) => onChange({ [name]: event.currentTarget.valueAsNumber })}
              />
            </Field>
          ))}
        </div>
      </details>
    </>
  );
}
