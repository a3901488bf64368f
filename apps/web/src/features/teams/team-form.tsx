import { stillNeeded } from '../../shared/actions/still-needed.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { cleanFeatures, teamLimits } from '@app/domain/teams/team-rules';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc, readFailure } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Button } from '../../ui/button.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, Textarea } from '../../ui/input.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { refreshTeams, teamOptions, teamsErrorMessage, type TeamDetails } from './teams-queries.ts';

/** Makes a team, or changes the settings of the one that is named. */
export function TeamFormDialog({ teamId, onClose }: { teamId?: string; onClose: () => void }) {
  const { data } = useQuery({ ...teamOptions(teamId ?? ''), enabled: teamId !== undefined });
  if (teamId !== undefined && !data) return null;
  return <TeamForm team={data} onClose={onClose} />;
}

function TeamForm({ team, onClose }: { team: TeamDetails | undefined; onClose: () => void }) {
  // Kept as it was opened: what is saved must follow the version that the person saw.
  const [opened] = useState(team);
  const [first] = useState(() => valuesOf(opened));
  const [values, setValues] = useState(first);
  const queryClient = useQueryClient();
  const create = useAction(orpc.teams.create.mutationOptions());
  const update = useAction(orpc.teams.update.mutationOptions());
  const isChanged = JSON.stringify(values) !== JSON.stringify(first);
  const closeSaved = useUnsavedWarning(isChanged, 'teamDialog');
  const askToDelete = useDeleteTeam(() => closeSaved(onClose));
  const error = create.error ?? update.error;
  const place = error ? readFailure(error).field : undefined;
  const most = Number(values.maxMembers);
  const isMostRight = Number.isInteger(most) && most >= 1 && most <= teamLimits.members;
  const change = (patch: Partial<typeof values>) => {
    setValues((before) => ({ ...before, ...patch }));
    create.reset();
    update.reset();
  };

  async function save() {
    const fields = {
      name: values.name,
      description: values.description,
      allowInvites: values.allowInvites,
      requireApproval: values.requireApproval,
      maxMembers: most,
      features: cleanFeatures(values.features.split(',')),
    };
    try {
      if (opened) await update.mutateAsync({ teamId: opened.id, version: opened.version, ...fields });
      else await create.mutateAsync(fields);
    } catch {
      return; // Shown in the form, from the failed call.
    }
    notify.success(opened ? t('teams.saved') : t('teams.createdToast', { name: values.name.trim() }));
    closeSaved(onClose);
    await refreshTeams(queryClient);
  }

  return (
    <FormDialog
      title={t(opened ? 'teams.settingsTitle' : 'teams.newTitle')}
      submitLabel={t('common.save')}
      isReady={values.name.trim() !== '' && isMostRight}
      whyNot={stillNeeded(
        ...(values.name.trim() === '' ? [t('teams.name')] : []),
        ...(isMostRight ? [] : [t('teams.maxMembers')]),
      )}
      isSaving={create.isPending || update.isPending}
      onSubmit={() => void save()}
      onClose={onClose}
      note={
        opened?.own.mayOwn ? (
          <Button
            variant="danger-ghost"
            className="mr-auto"
            icon={<Trash2 aria-hidden />}
            onClick={() => void askToDelete(opened)}
          >
            {t('teams.delete')}
          </Button>
        ) : undefined
      }
    >
      {error && place === undefined ? <Banner tone="danger">{teamsErrorMessage(error)}</Banner> : null}
      <Field
        label={t('teams.name')}
        required
        error={error && place === 'name' ? teamsErrorMessage(error) : undefined}
      >
        <Input
          value={values.name}
          maxLength={teamLimits.name}
          autoComplete="off"
          onChange={(event) => change({ name: event.target.value })}
        />
      </Field>
      <Field label={t('teams.description')}>
        <Textarea
          rows={3}
          value={values.description}
          maxLength={teamLimits.description}
          onChange={(event) => change({ description: event.target.value })}
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label={t('teams.maxMembers')}
          error={error && place === 'maxMembers' ? teamsErrorMessage(error) : undefined}
        >
          <Input
            type="number"
            min={1}
            max={teamLimits.members}
            value={values.maxMembers}
            onChange={(event) => change({ maxMembers: event.target.value })}
          />
        </Field>
        <Field label={t('teams.features')} hint={t('teams.featuresHint')}>
          <Input
            value={values.features}
            maxLength={300}
            autoComplete="off"
            onChange={(event) => change({ features: event.target.value })}
          />
        </Field>
      </div>
      <Switch
        label={t('teams.allowInvites')}
        hint={t('teams.allowInvitesHint')}
        checked={values.allowInvites}
        onChange={(event) => change({ allowInvites: event.target.checked })}
      />
      <Switch
        label={t('teams.requireApproval')}
        hint={t('teams.requireApprovalHint')}
        checked={values.requireApproval}
        onChange={(event) => change({ requireApproval: event.target.checked })}
      />
    </FormDialog>
  );
}

function useDeleteTeam(onDeleted: () => void): (team: TeamDetails) => Promise<boolean> {
  const confirm = useConfirm();
  const queryClient = useQueryClient();
  const remove = useAction(orpc.teams.remove.mutationOptions());
  return (team) =>
    confirm({
      title: t('teams.deleteQuestion', { name: team.name }),
      text: t('teams.deleteText'),
      confirmLabel: t('common.delete'),
      work: async () => {
        try {
          await remove.mutateAsync({ teamId: team.id });
          notify.success(t('teams.deleted', { name: team.name }));
          onDeleted();
        } catch (error) {
          notify.error(teamsErrorMessage(error));
        }
        await refreshTeams(queryClient);
      },
    });
}

function valuesOf(team: TeamDetails | undefined) {
  const { settings } = team ?? {};
  return {
    name: team?.name ?? '',
    description: team?.description ?? '',
    allowInvites: settings?.allowInvites ?? true,
    requireApproval: settings?.requireApproval ?? false,
    maxMembers: String(settings?.maxMembers ?? teamLimits.usualMembers),
    features: settings?.features.join(', ') ?? '',
  };
}
