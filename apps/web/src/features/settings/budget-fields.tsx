import { budgetLimits, currencyOf } from '@app/domain/settings/budget';
import { useQuery } from '@tanstack/react-query';
import { formatDate, formatNumber, formatMoney, formatMonth } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Switch } from '../../ui/controls/switch.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { generalOptions, usageOptions, type MessagingSettings } from './settings-queries.ts';
import { UseBar } from './use-bar.tsx';

type Budget = MessagingSettings['budget'];

/** What may be spent in a month, and what of it is used. */
export function BudgetFields({ budget, onChange }: { budget: Budget; onChange: (budget: Budget) => void }) {
  const { data: general } = useQuery(generalOptions());
  const currency = currencyOf(general ?? {});
  return (
    <div className="flex flex-col gap-4">
      <Switch
        label={t('settings.budget.on')}
        hint={t('settings.budget.hint')}
        checked={budget.isEnabled}
        onChange={(event) => onChange({ ...budget, isEnabled: event.currentTarget.checked })}
      />
      {budget.isEnabled ? (
        <Field label={t('settings.budget.perMonth', { currency })} className="max-w-80">
          <Input
            type="number"
            inputMode="decimal"
            min={budgetLimits.least}
            max={budgetLimits.most}
            step="0.01"
            value={budget.perMonth === 0 ? '' : budget.perMonth}
            // An emptied field is 0, which the form refuses.
            onChange={(event) => onChange({ ...budget, perMonth: Number(event.currentTarget.value) || 0 })}
          />
        </Field>
      ) : null}
      <BudgetUse />
    </div>
  );
}

/** What the server would refuse. */
export function budgetProblem({ perMonth }: Budget): string | null {
  const { least, most } = budgetLimits;
  return perMonth >= least && perMonth <= most
    ? null
    : t('settings.budget.wrong', { least: formatNumber(least), most: formatNumber(most) });
}

function BudgetUse() {
  const { data } = useQuery(usageOptions());
  if (!data?.budget) return null;
  const { used, left, perMonth, currency, level, countedFrom } = data.budget;
  const month = formatMonth(data.month);
  const zone = data.timeZone.replaceAll('_', ' ');
  return (
    <UseBar
      label={t('settings.budget.used', {
        used: formatMoney(used, currency),
        left: formatMoney(left, currency),
      })}
      hint={
        countedFrom === null
          ? t('settings.budget.monthOnly', { month, zone })
          : t('settings.budget.month', { month, zone, since: formatDate(countedFrom) })
      }
      share={used / perMonth}
      level={level}
    />
  );
}
