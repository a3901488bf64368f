import type { FlowTrigger, Json } from '@app/domain/flows/flow-file';
import { findTriggerType, triggerTypesOf } from '@app/domain/flows/trigger-types';
import { isFormPage } from '@app/domain/flows/triggers/form-trigger';
import { Plus, Trash2, Zap } from 'lucide-react';
import { t } from '../../../shared/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/controls/choice.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { SegmentConditions } from '../../segments/segment-conditions.tsx';
import { triggerName } from '../flow-words.ts';
import { EditorCard, fieldProblems, hasNoOtherFocus } from './editor-card.tsx';
import { rulesOf } from './field-controls.tsx';
import { changeTrigger, newTrigger } from './flow-draft.ts';
import type { EditorParts } from './editor-parts.ts';
import { FormAddress } from './forms/form-address.tsx';
import { HookAddress } from './hook-address.tsx';
import { FlowFields } from './flow-fields.tsx';
import { triggerSummary } from './flow-summary.ts';

/** All triggers of a flow. */
export function TriggerList({ parts }: { parts: EditorParts }) {
  const { triggers } = parts.flow;
  if (triggers.length === 0) return <p className="text-muted">{t('automation.noTrigger')}</p>;
  return (
    <ul className="grid grid-cols-1 gap-3">
      {triggers.map((trigger) => (
        <TriggerItem key={trigger.id} parts={parts} trigger={trigger} />
      ))}
    </ul>
  );
}

export function AddTrigger({ flow, onChange, setOpen, focusOn }: EditorParts) {
  return (
    <Menu
      finalFocus={hasNoOtherFocus}
      trigger={
        <Button size="small" icon={<Plus aria-hidden />}>
          {t('automation.addTrigger')}
        </Button>
      }
      entries={triggerTypesOf(flow.kind).map(({ type }) => ({
        label: triggerName(type),
        onSelect: () => {
          const trigger = newTrigger(flow, type);
          setOpen(`trigger ${trigger.id}`, true);
          focusOn(`trigger ${trigger.id}`);
          onChange({ ...flow, triggers: [...flow.triggers, trigger] });
        },
      }))}
    />
  );
}

/** One trigger with its fields, and the conditions that the contact must meet. */
function TriggerItem({ parts, trigger }: { parts: EditorParts; trigger: FlowTrigger }) {
  const { flow, isReadOnly, onChange, isOpen, setOpen } = parts;
  const key = `trigger ${trigger.id}`;
  const problems = parts.problems.filter(({ place, id }) => place === 'trigger' && id === trigger.id);
  const change = (part: Partial<FlowTrigger>) => onChange(changeTrigger(flow, trigger.id, part));
  const type = findTriggerType(trigger.type);
  return (
    <li>
      <EditorCard
        id={key}
        icon={<Zap />}
        name={triggerName(trigger.type)}
        summary={triggerSummary(trigger, parts.names)}
        problems={problems}
        isOpen={isOpen(key)}
        onOpenChange={(open) => setOpen(key, open)}
      >
        <fieldset disabled={isReadOnly} className="grid min-w-0 gap-4">
          {trigger.type === 'webhook' ? (
            <HookAddress workflowId={parts.workflowId} triggerId={trigger.id} />
          ) : null}
          {trigger.type === 'form_submission' && isFormPage(trigger.config) ? (
            <FormAddress config={trigger.config} />
          ) : null}
          {trigger.type === 'by_hand' ? (
            <p className="text-sm text-muted">{t('automation.byHandHint')}</p>
          ) : null}
          <FlowFields
            type={trigger.type}
            fields={type?.fields ?? []}
            config={trigger.config}
            values={[]}
            problemOf={fieldProblems(problems)}
            onChange={(config) => change({ config })}
          />
          {trigger.conditions === null && (flow.kind === 'bot' || type?.takesConditions === false) ? null : (
            <Checkbox
              label={t('automation.hasConditions')}
              checked={trigger.conditions !== null}
              onChange={(event) =>
                change({ conditions: event.target.checked ? (rulesOf(null) as unknown as Json) : null })
              }
            />
          )}
          {trigger.conditions === null ? null : (
            <SegmentConditions
              rules={rulesOf(trigger.conditions)}
              showsProblems={problems.some(({ code }) => code === 'conditions_invalid')}
              onChange={(rules) => change({ conditions: rules as unknown as Json })}
            />
          )}
          {isReadOnly ? null : (
            <Button
              size="small"
              variant="danger-ghost"
              className="justify-self-start"
              icon={<Trash2 aria-hidden />}
              onClick={() =>
                onChange({ ...flow, triggers: flow.triggers.filter(({ id }) => id !== trigger.id) })
              }
            >
              {t('automation.removeTrigger')}
            </Button>
          )}
        </fieldset>
      </EditorCard>
    </li>
  );
}
