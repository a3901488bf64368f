import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { labelColours, type LabelColour } from '@app/domain/conversations/conversation-label';
import { conversationLimits } from '@app/domain/conversations/conversation-status';
import { useAction } from '../../shared/actions/use-action.ts';
import { api, orpc } from '../../shared/api.ts';
import { LabelDot } from '../../shared/conversations/label-chip.tsx';
import { labelsOptions } from '../../shared/conversations/label-queries.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Input } from '../../ui/input.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { isPlainEnter } from '../../ui/controls/plain-enter.ts';

type Label = Awaited<ReturnType<typeof api.conversationLabels.list>>['items'][number];

/** The labels of the workspace: each change is saved at once, and shows on all conversations. */
export function LabelSettings() {
  const queryClient = useQueryClient();
  const { data } = useQuery(labelsOptions());
  const create = useAction(orpc.conversationLabels.create.mutationOptions());
  const [name, setName] = useState('');
  const isReady = name.trim() !== '';

  async function add() {
    if (!isReady) return;
    try {
      await create.mutateAsync({ name });
      setName('');
    } catch (error) {
      notify.error(errorMessage(error));
    }
    await queryClient.invalidateQueries({ queryKey: labelsOptions().queryKey });
  }

  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="text-sm text-muted">{t('teamwork.labelsHint')}</p>
      <div className="flex gap-2">
        <Input
          aria-label={t('teamwork.newLabel')}
          placeholder={t('teamwork.newLabel')}
          maxLength={conversationLimits.label}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (!isPlainEnter(event)) return;
            // The form around it saves the other settings.
            event.preventDefault();
            void add();
          }}
        />
        <Button
          icon={<Plus aria-hidden />}
          disabled={!isReady}
          loading={create.isPending}
          onClick={() => void add()}
        >
          {t('teamwork.addNewLabel')}
        </Button>
      </div>
      {data ? null : (
        <SkeletonRegion className="grid gap-2">
          <Skeleton className="w-full" />
          <Skeleton className="w-full" />
        </SkeletonRegion>
      )}
      {data?.items.length === 0 ? <p className="text-muted">{t('teamwork.noLabelsYet')}</p> : null}
      <ul className="grid gap-2">
        {data?.items.map((label) => (
          <LabelRow key={`${label.id} ${label.version}`} label={label} />
        ))}
      </ul>
    </section>
  );
}

function LabelRow({ label }: { label: Label }) {
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const update = useAction(orpc.conversationLabels.update.mutationOptions());
  const remove = useAction(orpc.conversationLabels.remove.mutationOptions());
  const [name, setName] = useState(label.name);
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: labelsOptions().queryKey }),
      queryClient.invalidateQueries({ queryKey: orpc.conversations.key() }),
    ]);

  async function save(patch: { name?: string; colour?: LabelColour }) {
    try {
      await update.mutateAsync({ labelId: label.id, version: label.version, ...patch });
    } catch (error) {
      setName(label.name);
      notify.error(errorMessage(error));
    }
    await refresh();
  }
  const rename = () => {
    const wanted = name.trim();
    if (wanted === '') setName(label.name);
    else if (wanted !== label.name) void save({ name: wanted });
  };
  async function askToDelete() {
    const { conversations } = await api.conversationLabels.countUse({ labelId: label.id });
    const isSure = await confirm({
      title: t('teamwork.deleteLabel', { name: label.name }),
      text: t('teamwork.deleteLabelText', { n: conversations }),
      confirmLabel: t('common.delete'),
    });
    if (!isSure) return;
    try {
      await remove.mutateAsync({ labelId: label.id });
      notify.success(t('teamwork.labelDeleted', { name: label.name }));
    } catch (error) {
      notify.error(errorMessage(error));
    }
    await refresh();
  }

  return (
    <li className="flex items-center gap-2">
      <div className="w-36 shrink-0">
        <Select
          label={t('teamwork.colourOf', { name: label.name })}
          value={label.colour}
          onChange={(colour) => void save({ colour })}
          options={labelColours.map((value) => ({
            value,
            label: t(`teamwork.colour.${value}`),
            icon: <LabelDot colour={value} className="size-2.5" />,
          }))}
        />
      </div>
      <Input
        aria-label={t('teamwork.nameOf', { name: label.name })}
        maxLength={conversationLimits.label}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={rename}
        onKeyDown={(event) => {
          if (!isPlainEnter(event)) return;
          event.preventDefault();
          rename();
        }}
      />
      <IconButton
        label={t('teamwork.deleteLabelOf', { name: label.name })}
        onClick={() => void askToDelete().catch((error: unknown) => notify.error(errorMessage(error)))}
      >
        <Trash2 aria-hidden />
      </IconButton>
    </li>
  );
}
