import { Plus, Trash2 } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { conversationPriorities } from '@app/domain/conversations/conversation-status';
import { inboxLimits } from '@app/domain/conversations/inbox-settings';
import { t } from '../../shared/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Target } from './settings-sla-target.tsx';
import type { SettingsValues } from './settings-values.ts';
import { assigneesOptions } from './teamwork-queries.ts';

type Rule = SettingsValues['targetRules'][number];

/** Other targets for what a team has, for a priority, or for both. */
export function TargetRules({
  rules,
  onChange,
}: {
  rules: readonly Rule[];
  onChange: (rules: Rule[]) => void;
}) {
  const set = (at: number, patch: Partial<Rule>) =>
    onChange(rules.map((rule, place) => (place === at ? { ...rule, ...patch } : rule)));
  const unused = conversationPriorities
    .toReversed()
    .find((priority) => !rules.some((rule) => rule.teamId === null && rule.priority === priority));
  const add = () =>
    onChange([
      ...rules,
      { teamId: null, priority: unused ?? null, firstAnswerMinutes: null, resolutionMinutes: null },
    ]);
  return (
    <section className="grid gap-4 border-t border-border pt-4">
      <div>
        <h3 className="font-medium">{t('teamwork.otherTargets')}</h3>
        <p className="mt-0.5 text-sm text-muted">{t('teamwork.otherTargetsHint')}</p>
      </div>
      <ul className="grid gap-3">
        {rules.map((rule, at) => (
          // A rule has no id; nothing but its own fields is kept beside it.
          <li key={`${at} of ${rules.length}`} className="rounded-lg border border-border p-3">
            <RuleFields
              rule={rule}
              onChange={(patch) => set(at, patch)}
              onRemove={() => onChange(rules.filter((_, place) => place !== at))}
            />
          </li>
        ))}
      </ul>
      {rules.length < inboxLimits.targetRules ? (
        <Button className="justify-self-start" icon={<Plus aria-hidden />} onClick={add}>
          {t('teamwork.addTargets')}
        </Button>
      ) : null}
    </section>
  );
}

function RuleFields({
  rule,
  onChange,
  onRemove,
}: {
  rule: Rule;
  onChange: (patch: Partial<Rule>) => void;
  onRemove: () => void;
}) {
  const { data } = useQuery(assigneesOptions());
  const teams = (data?.teams ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const isGone = rule.teamId !== null && data && !teams.some(({ value }) => value === rule.teamId);
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Select
        label={t('teamwork.targetTeam')}
        value={rule.teamId ?? ''}
        onChange={(teamId) => onChange({ teamId: teamId || null })}
        options={[
          { value: '', label: t('teamwork.anyTeam') },
          ...teams,
          ...(isGone ? [{ value: rule.teamId ?? '', label: t('teamwork.goneTeam') }] : []),
        ]}
      />
      <div className="flex items-center gap-2">
        <div className="min-w-0 flex-1">
          <Select
            label={t('inbox.priority')}
            value={rule.priority ?? ''}
            onChange={(priority) => onChange({ priority: priority || null })}
            options={[
              { value: '' as const, label: t('teamwork.anyPriority') },
              ...conversationPriorities
                .toReversed()
                .map((value) => ({ value, label: t(`inbox.priority.${value}`) })),
            ]}
          />
        </div>
        <IconButton label={t('teamwork.removeTargets')} onClick={onRemove}>
          <Trash2 aria-hidden />
        </IconButton>
      </div>
      <Target
        label={t('teamwork.targetAnswer')}
        minutes={rule.firstAnswerMinutes}
        onChange={(firstAnswerMinutes) => onChange({ firstAnswerMinutes })}
      />
      <Target
        label={t('teamwork.targetResolution')}
        minutes={rule.resolutionMinutes}
        onChange={(resolutionMinutes) => onChange({ resolutionMinutes })}
      />
    </div>
  );
}
