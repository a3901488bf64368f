import { CircleAlert, CircleCheck, CircleSlash, Download, Undo2, X } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { orpc } from '../api.ts';
import { useAct } from '../acts/use-act.ts';
import { failureText } from '../failure-text.ts';
import { t } from '../messages.ts';
import { can } from '../session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { loadFile } from '../../ui/load-file.ts';
import { notify } from '../../ui/toast.ts';
import { ActProgress } from './act-progress.tsx';
import { outcomeOf, titleOf } from './act-words.ts';
import { isActOver, type LongAct } from './long-acts.ts';

/** One act: how far it is and how to stop it, or what came of it and what can still be done. */
export function ActRow({ act, onUndo }: { act: LongAct; onUndo?: (() => Promise<void>) | undefined }) {
  return isActOver(act) ? <EndedAct act={act} onUndo={onUndo} /> : <RunningAct act={act} />;
}

function RunningAct({ act }: { act: LongAct }) {
  const cancel = useAct(orpc.longActs.cancel.mutationOptions());
  const queryClient = useQueryClient();
  async function stop(): Promise<void> {
    try {
      await cancel.mutateAsync({ actId: act.id });
    } catch (error) {
      notify.error(failureText(error));
    }
    await queryClient.invalidateQueries({ queryKey: orpc.longActs.key() });
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
      <div className="min-w-48 flex-1">
        <ActProgress act={act} />
      </div>
      {act.mayCancel || act.state === 'cancelling' ? (
        <Button
          size="small"
          loading={cancel.isPending}
          disabled={act.state === 'cancelling'}
          onClick={() => void stop()}
        >
          {t('longActs.stop')}
        </Button>
      ) : null}
    </li>
  );
}

function EndedAct({ act, onUndo }: { act: LongAct; onUndo?: (() => Promise<void>) | undefined }) {
  const queryClient = useQueryClient();
  const dismiss = useAct(orpc.longActs.dismiss.mutationOptions());
  const undo = useAct({ mutationFn: async () => onUndo?.() });
  const saving = useAct({
    mutationFn: async (name: string) =>
      (await loadFile(() => import('./download-act.ts'))).downloadActFile(act.id, name),
  });
  async function save(): Promise<void> {
    await saving
      .mutateAsync(act.file?.name ?? '')
      .catch((error: unknown) => notify.error(failureText(error)));
  }
  const failedRows = useAct({
    mutationFn: async (importId: string) =>
      (await loadFile(() => import('./failed-rows-file.ts'))).downloadFailedRows(importId),
  });
  async function putAway(): Promise<void> {
    await dismiss.mutateAsync({ actId: act.id }).catch((error: unknown) => notify.error(failureText(error)));
    await queryClient.invalidateQueries({ queryKey: orpc.longActs.key() });
  }
  const isBad = act.state === 'failed' || act.fileGone !== null;
  const [Icon, colour] = isBad
    ? [CircleAlert, 'text-danger']
    : act.state === 'cancelled'
      ? [CircleSlash, 'text-muted']
      : [CircleCheck, 'text-success'];
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
      <Icon aria-hidden className={`size-4 shrink-0 ${colour}`} />
      <span className="line-clamp-3 min-w-40 flex-1 text-sm wrap-anywhere sm:line-clamp-none">
        <span className="font-medium">{titleOf(act)}</span>{' '}
        <span className="text-muted tabular-nums">{outcomeOf(act)}</span>
      </span>
      {act.file ? (
        <Button
          size="small"
          icon={<Download aria-hidden />}
          loading={saving.isPending}
          onClick={() => void save()}
        >
          {t('longActs.download')}
        </Button>
      ) : null}
      {act.kind === 'contact-import' && act.result.failed && can('contacts:create') ? (
        <Button
          size="small"
          icon={<Download aria-hidden />}
          loading={failedRows.isPending}
          onClick={() => void failedRows.mutateAsync(act.id)}
        >
          {t('longActs.failedRows')}
        </Button>
      ) : null}
      {onUndo ? (
        <Button
          size="small"
          icon={<Undo2 aria-hidden />}
          loading={undo.isPending}
          onClick={() => void undo.mutateAsync(undefined)}
        >
          {t('longActs.undoRemoval')}
        </Button>
      ) : null}
      <IconButton
        size="small"
        className="ml-auto"
        label={t('longActs.dismiss', { name: titleOf(act) })}
        onClick={() => void putAway()}
      >
        <X aria-hidden />
      </IconButton>
    </li>
  );
}
