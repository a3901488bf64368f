import { poorQualities, type PoorQuality } from '@app/domain/channels/number-standing';
import { guardLimits } from '@app/domain/settings/campaign-guard';
import { formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Select } from '../../ui/controls/select.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import type { MessagingSettings } from './settings-queries.ts';

type Guard = MessagingSettings['campaignGuard'];
const numbers = ['failurePercent', 'among'] as const;

/** When a campaign pauses by itself. */
export function GuardFields({ guard, onChange }: { guard: Guard; onChange: (guard: Guard) => void }) {
  return (
    <div className="flex flex-col gap-4">
      <Switch
        label={t('settings.guard.on')}
        hint={t('settings.guard.hint')}
        checked={guard.isEnabled}
        onChange={(event) => onChange({ ...guard, isEnabled: event.currentTarget.checked })}
      />
      {guard.isEnabled ? (
        <div className="grid gap-4 sm:grid-cols-3">
          <Field label={t('settings.guard.quality')}>
            <Select<PoorQuality>
              value={guard.quality}
              onChange={(quality) => onChange({ ...guard, quality })}
              options={poorQualities
                .toReversed()
                .map((value) => ({ value, label: t(`settings.guard.quality.${value}`) }))}
            />
          </Field>
          {numbers.map((name) => (
            <Field
              key={name}
              label={t(`settings.guard.${name}`)}
              hint={name === 'among' ? t('settings.guard.amongHint') : undefined}
            >
              <Input
                type="number"
                inputMode="numeric"
                min={guardLimits[name].least}
                max={guardLimits[name].most}
                value={guard[name] === 0 ? '' : guard[name]}
                // An emptied field is 0, which the form refuses.
                onChange={(event) =>
                  onChange({ ...guard, [name]: Math.round(Number(event.currentTarget.value)) || 0 })
                }
              />
            </Field>
          ))}
        </div>
      ) : null}
    </div>
  );
}

/** What the server would refuse. */
export function guardProblem(guard: Guard): string | null {
  const wrong = numbers.find((name) => {
    const { least, most } = guardLimits[name];
    return guard[name] < least || guard[name] > most;
  });
  if (!wrong) return null;
  const { least, most } = guardLimits[wrong];
  return t('settings.guard.wrong', {
    name: t(`settings.guard.${wrong}`),
    least: formatNumber(least),
    most: formatNumber(most),
  });
}
