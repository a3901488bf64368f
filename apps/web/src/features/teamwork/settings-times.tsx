import { t } from '../../shared/messages.ts';
import type { SettingsPart } from './settings-values.ts';
import { Target } from './settings-sla-target.tsx';
import { TargetRules } from './settings-sla-rules.tsx';

/** By when to answer and to resolve. */
export function TimeSettings({ values: { targets, targetRules }, onChange }: SettingsPart) {
  return (
    <>
      <section className="grid gap-4 sm:grid-cols-2">
        <Target
          label={t('teamwork.targetAnswer')}
          minutes={targets.firstAnswerMinutes}
          onChange={(firstAnswerMinutes) => onChange({ targets: { ...targets, firstAnswerMinutes } })}
        />
        <Target
          label={t('teamwork.targetResolution')}
          minutes={targets.resolutionMinutes}
          onChange={(resolutionMinutes) => onChange({ targets: { ...targets, resolutionMinutes } })}
        />
        <p className="text-sm text-muted sm:col-span-2">{t('teamwork.targetsHint')}</p>
      </section>
      <TargetRules rules={targetRules} onChange={(rules) => onChange({ targetRules: rules })} />
      <p className="border-t border-border pt-4 text-sm text-muted">{t('teamwork.hoursElsewhere')}</p>
    </>
  );
}
