import { useQuery, useQueryClient } from '@tanstack/react-query';
import { assignmentModes, inboxLimits, type AssignmentRule } from '@app/domain/conversations/inbox-settings';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { useSession } from '../../shared/session.ts';
import { Select } from '../../ui/controls/select.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { notify } from '../../ui/toast.ts';
import { readCount, type SettingsPart } from './settings-values.ts';
import { assigneesOptions } from './teamwork-queries.ts';

const EVERYBODY = 'everybody';
const OFF: AssignmentRule = { mode: 'off', maxOpen: null };

/** Who gets what is opened, by itself. */
export function AssignmentSettings({ values: { assignment, teamAssignment }, onChange }: SettingsPart) {
  const { data } = useQuery(assigneesOptions());
  const teams = data?.teams ?? [];
  return (
    <>
      <section className="grid gap-4">
        <h3 className="font-semibold">{t('teamwork.assignNew')}</h3>
        <RuleFields
          rule={assignment}
          onChange={(rule) => onChange({ assignment: { ...assignment, ...rule } })}
        />
        {assignment.mode !== 'off' && teams.length > 0 ? (
          <Field label={t('teamwork.assignAmong')}>
            <Select
              value={assignment.teamId ?? EVERYBODY}
              onChange={(id) =>
                onChange({ assignment: { ...assignment, teamId: id === EVERYBODY ? null : id } })
              }
              options={[
                { value: EVERYBODY, label: t('teamwork.everybody') },
                ...teams.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          </Field>
        ) : null}
      </section>
      {teams.map(({ id, name }) => (
        <section key={id} className="grid gap-3 border-t border-border pt-4">
          <h3 className="font-semibold">{t('teamwork.assignTeam', { team: name })}</h3>
          <RuleFields
            rule={teamAssignment[id] ?? OFF}
            onChange={(rule) => onChange({ teamAssignment: { ...teamAssignment, [id]: rule } })}
          />
        </section>
      ))}
      <OwnSwitch />
    </>
  );
}

function RuleFields({ rule, onChange }: { rule: AssignmentRule; onChange: (rule: AssignmentRule) => void }) {
  const { mode, maxOpen } = rule;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={t('teamwork.assignMode')} hint={t(`teamwork.modeHint.${mode}`)}>
        <Select
          value={mode}
          onChange={(next) => onChange({ mode: next, maxOpen })}
          options={assignmentModes.map((value) => ({ value, label: t(`teamwork.mode.${value}`) }))}
        />
      </Field>
      {mode === 'off' ? null : (
        <Field label={t('teamwork.maxOpen')} hint={t('teamwork.maxOpenHint')}>
          <Input
            type="number"
            inputMode="numeric"
            min={1}
            max={inboxLimits.maxOpen}
            value={maxOpen ?? ''}
            onChange={(event) => onChange({ mode, maxOpen: readCount(event.currentTarget.value) })}
          />
        </Field>
      )}
    </div>
  );
}

/** One's own, saved at once. */
function OwnSwitch() {
  const queryClient = useQueryClient();
  const session = useSession();
  const { data } = useQuery(assigneesOptions());
  const setAvailable = useAction(orpc.conversations.setAvailable.mutationOptions());
  const me = data?.people.find(({ id }) => session.status === 'signed-in' && id === session.user.id);
  if (!me) return null;
  async function change(isAvailable: boolean) {
    try {
      await setAvailable.mutateAsync({ isAvailable });
    } catch (error) {
      notify.error(errorMessage(error));
    }
    await queryClient.invalidateQueries({ queryKey: assigneesOptions().queryKey });
  }
  return (
    <section className="border-t border-border pt-4">
      <Switch
        label={t('teamwork.available')}
        hint={t('teamwork.availableHint')}
        checked={setAvailable.isPending ? setAvailable.variables.isAvailable : me.isAvailable}
        onChange={(event) => void change(event.currentTarget.checked)}
      />
    </section>
  );
}
