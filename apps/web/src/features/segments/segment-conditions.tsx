import { ListPlus, Plus, X } from 'lucide-react';
import {
  conditionsOf,
  conditionValues,
  segmentLimits,
  type ConditionGroup,
  type SegmentCondition,
  type SegmentRules,
} from '@app/domain/segments/segment-rules';
import { useCustomFields } from '../../shared/contacts/custom-fields.ts';
import { t } from '../../shared/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Field, FieldGroup } from '../../ui/field.tsx';
import { ConditionRow } from './condition-row.tsx';

const newCondition: SegmentCondition = { kind: 'has_tag', value: '' };
const matches = ['all', 'any'] as const;

/** The rules of a segment: conditions, and groups of them that count as one condition each. */
export function SegmentConditions({
  rules,
  showsProblems,
  onChange,
}: {
  rules: SegmentRules;
  /** Whether what is missing is said at each condition. */
  showsProblems: boolean;
  onChange: (rules: SegmentRules) => void;
}) {
  const { groups = [] } = rules;
  const total = conditionsOf(rules).length;
  const countsDays = conditionsOf(rules).some(({ kind }) => /^da(ys|te)/.test(conditionValues[kind]));
  const mayAdd = total < segmentLimits.conditions;
  const list = { showsProblems, isOnly: total === 1 };
  const changeGroups = (next: readonly ConditionGroup[]) => onChange({ ...rules, groups: next });
  return (
    <>
      <Field label={t('contacts.segment.match')}>
        <Select
          value={rules.match}
          onChange={(match) => onChange({ ...rules, match })}
          options={matches.map((match) => ({ value: match, label: t(`contacts.segment.match.${match}`) }))}
        />
      </Field>
      <FieldGroup
        legend={t('contacts.segment.conditions')}
        hint={countsDays ? t('contacts.segment.daysHint') : undefined}
      >
        <ConditionList
          {...list}
          group={rules}
          firstNumber={1}
          onChange={(conditions) => onChange({ ...rules, conditions })}
        />
        {groups.map((group, index) => {
          const n = index + 1;
          const before = groups.slice(0, index).flatMap(({ conditions }) => conditions).length;
          return (
            <div key={index} className="grid gap-2">
              {index > 0 || rules.conditions.length > 0 ? <Joined match={rules.match} /> : null}
              <div
                role="group"
                aria-label={t('contacts.segment.group', { n })}
                className="grid gap-2 rounded-card border border-border p-3"
              >
                <div className="flex items-center justify-between gap-2">
                  <Select
                    className="max-w-60"
                    label={t('contacts.segment.groupMatch', { n })}
                    value={group.match}
                    onChange={(match) => changeGroups(groups.with(index, { ...group, match }))}
                    options={matches.map((match) => ({
                      value: match,
                      label: t(`contacts.segment.group.${match}`),
                    }))}
                  />
                  <IconButton
                    label={t('contacts.segment.removeGroup', { n })}
                    disabled={group.conditions.length === total}
                    onClick={() => changeGroups(groups.toSpliced(index, 1))}
                  >
                    <X aria-hidden />
                  </IconButton>
                </div>
                <ConditionList
                  {...list}
                  group={group}
                  firstNumber={rules.conditions.length + before + 1}
                  // A group without conditions is gone.
                  onChange={(conditions) =>
                    changeGroups(
                      conditions.length === 0
                        ? groups.toSpliced(index, 1)
                        : groups.with(index, { ...group, conditions }),
                    )
                  }
                />
                {mayAdd ? (
                  <div>
                    <Button
                      size="small"
                      variant="ghost"
                      icon={<Plus aria-hidden />}
                      aria-label={t('contacts.segment.addToGroup', { n })}
                      onClick={() =>
                        changeGroups(
                          groups.with(index, { ...group, conditions: [...group.conditions, newCondition] }),
                        )
                      }
                    >
                      {t('contacts.segment.addCondition')}
                    </Button>
                  </div>
                ) : null}
              </div>
            </div>
          );
        })}
        {mayAdd ? (
          <div className="flex flex-wrap gap-2">
            <Button
              size="small"
              icon={<Plus aria-hidden />}
              onClick={() => onChange({ ...rules, conditions: [...rules.conditions, newCondition] })}
            >
              {t('contacts.segment.addCondition')}
            </Button>
            {groups.length < segmentLimits.groups ? (
              <Button
                size="small"
                icon={<ListPlus aria-hidden />}
                onClick={() =>
                  changeGroups([
                    ...groups,
                    // The other word: with the same one a group would say nothing new.
                    { match: rules.match === 'all' ? 'any' : 'all', conditions: [newCondition] },
                  ])
                }
              >
                {t('contacts.segment.addGroup')}
              </Button>
            ) : null}
          </div>
        ) : null}
      </FieldGroup>
    </>
  );
}

function ConditionList({
  group: { match, conditions },
  firstNumber,
  showsProblems,
  isOnly,
  onChange,
}: {
  group: ConditionGroup;
  firstNumber: number;
  showsProblems: boolean;
  isOnly: boolean;
  onChange: (conditions: readonly SegmentCondition[]) => void;
}) {
  const fields = useCustomFields() ?? [];
  if (conditions.length === 0) return null;
  return (
    <ul className="grid gap-2">
      {conditions.map((condition, index) => (
        <li key={index} className="grid gap-2">
          {index > 0 ? <Joined match={match} /> : null}
          <ConditionRow
            condition={condition}
            n={firstNumber + index}
            fields={fields}
            showsProblem={showsProblems}
            onChange={(next) => onChange(conditions.with(index, next))}
            onRemove={isOnly ? undefined : () => onChange(conditions.toSpliced(index, 1))}
          />
        </li>
      ))}
    </ul>
  );
}

/** What stands between two conditions. */
function Joined({ match }: { match: ConditionGroup['match'] }) {
  return (
    <p className="text-sm text-muted">
      {t(match === 'all' ? 'contacts.segment.and' : 'contacts.segment.or')}
    </p>
  );
}
