import { reentryModes, type FlowSettings } from '@app/domain/flows/flow-file';
import { findTriggerType, triggerTypesOf } from '@app/domain/flows/trigger-types';
import { t } from '../../../shared/messages.ts';
import { Select } from '../../../ui/controls/select.tsx';
import { Field } from '../../../ui/field.tsx';
import { Input } from '../../../ui/input.tsx';
import { Panel } from '../../../ui/page-frame.tsx';
import { optionName, problemText, triggerName } from '../flow-words.ts';
import { initialConfig } from './flow-draft.ts';
import type { EditorProps } from './editor-parts.ts';
import { FlowFields } from './flow-fields.tsx';
import { FlowNameFields } from './flow-name-fields.tsx';

/** What a workflow is called, how often a contact may enter, and what ends a run early. */
export function WorkflowSettings({ flow, problems, isReadOnly, onChange }: EditorProps) {
  const { settings } = flow;
  const changeSettings = (part: Partial<FlowSettings>) =>
    onChange({ ...flow, settings: { ...settings, ...part } });
  const goalProblem = problems.find(({ place }) => place === 'goal');
  return (
    <Panel>
      <fieldset disabled={isReadOnly} className="grid max-w-xl min-w-0 gap-5">
        <FlowNameFields flow={flow} onChange={onChange} />
        <Field label={t('automation.reentry')} hint={t('automation.reentryHint')}>
          <Select
            value={settings.reentry}
            onChange={(reentry) => changeSettings({ reentry })}
            options={reentryModes.map((value) => ({ value, label: optionName(`reentry_${value}`) }))}
          />
        </Field>
        <Field
          label={t('automation.goal')}
          hint={t(settings.goal?.type === 'tag_added' ? 'automation.goalHintTag' : 'automation.goalHint')}
          error={goalProblem && problemText(goalProblem)}
        >
          <Select
            value={settings.goal?.type ?? ''}
            onChange={(type) =>
              changeSettings({
                goal: type === '' ? null : { type, config: initialConfig(findTriggerType(type)?.fields) },
              })
            }
            options={[
              { value: '', label: t('automation.noGoal') },
              ...triggerTypesOf(flow.kind)
                .filter(({ isAwaitable }) => isAwaitable)
                .map(({ type }) => ({ value: type, label: triggerName(type) })),
            ]}
          />
        </Field>
        {settings.goal ? (
          <FlowFields
            type={settings.goal.type}
            fields={findTriggerType(settings.goal.type)?.fields ?? []}
            config={settings.goal.config}
            values={[]}
            problemOf={() => undefined}
            onChange={(config) => changeSettings({ goal: { type: settings.goal?.type ?? '', config } })}
          />
        ) : null}
        <Field label={t('automation.runsPerMinute')} hint={t('automation.runsPerMinuteHint')}>
          <Input
            type="number"
            min={1}
            max={100_000}
            placeholder="600"
            value={settings.runsPerMinute === null ? '' : String(settings.runsPerMinute)}
            onChange={(event) => {
              const n = Math.trunc(Number(event.target.value));
              changeSettings({ runsPerMinute: n >= 1 ? Math.min(n, 100_000) : null });
            }}
          />
        </Field>
      </fieldset>
    </Panel>
  );
}
