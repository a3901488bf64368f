import { inboxLimits } from '@app/domain/conversations/inbox-settings';
import { t } from '../../shared/messages.ts';
import { Switch } from '../../ui/controls/switch.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { readCount, type SettingsPart } from './settings-values.ts';

/** What happens to silent conversations, and what colleagues notice. */
export function OtherSettings({ values, onChange }: SettingsPart) {
  const { autoResolveDays, playSounds, rating } = values;
  return (
    <>
      <Field label={t('teamwork.autoResolve')} hint={t('teamwork.autoResolveHint')}>
        <Input
          type="number"
          inputMode="numeric"
          min={1}
          max={inboxLimits.autoResolveDays}
          placeholder={t('teamwork.never')}
          value={autoResolveDays ?? ''}
          onChange={(event) => onChange({ autoResolveDays: readCount(event.currentTarget.value) })}
        />
      </Field>
      <Switch
        label={t('teamwork.rating')}
        hint={t('teamwork.ratingHint')}
        checked={rating.isEnabled}
        onChange={(event) => onChange({ rating: { ...rating, isEnabled: event.currentTarget.checked } })}
      />
      {rating.isEnabled ? (
        <Field label={t('teamwork.ratingQuestion')} hint={t('teamwork.ratingQuestionHint')}>
          <Input
            value={rating.question}
            maxLength={inboxLimits.ratingQuestion}
            onChange={(event) => onChange({ rating: { ...rating, question: event.currentTarget.value } })}
          />
        </Field>
      ) : null}
      <Switch
        label={t('teamwork.sounds')}
        hint={t('teamwork.soundsHint')}
        checked={playSounds}
        onChange={(event) => onChange({ playSounds: event.currentTarget.checked })}
      />
    </>
  );
}
