import { CircleAlert, CircleCheck, CircleSlash, Download, Undo2, X } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { orpc } from '../api.ts';
import { useAction } from '../actions/use-action.ts';
import { errorMessage } from '../error-message.ts';
import { t } from '../messages.ts';
import { can } from '../session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { loadFile } from '../../ui/load-file.ts';
import { notify } from '../../ui/toast.ts';
import { OperationProgress } from './operation-progress.tsx';
import { outcomeOf, titleOf } from './operation-messages.ts';
import { isOperationOver, type Operation } from './operations.ts';

/** One act: how far it is and how to stop it, or what came of it and what can still be done. */
export function OperationRow({
  operation,
  onUndo,
}: {
  operation: Operation;
  onUndo?: (() => Promise<void>) | undefined;
}) {
  return isOperationOver(operation) ? (
    <EndedOperation operation={operation} onUndo={onUndo} />
  ) : (
    <RunningOperation operation={operation} />
  );
}

function RunningOperation({ operation }: { operation: Operation }) {
  const cancel = useAction(orpc.operations.cancel.mutationOptions());
  const queryClient = useQueryClient();
  async function stop(): Promise<void> {
    try {
      await cancel.mutateAsync({ operationId: operation.id });
    } catch (error) {
      notify.error(errorMessage(error));
    }
    await queryClient.invalidateQueries({ queryKey: orpc.operations.key() });
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
      <div className="min-w-48 flex-1">
        <OperationProgress operation={operation} />
      </div>
      {operation.mayCancel || operation.state === 'cancelling' ? (
        <Button
          size="small"
          loading={cancel.isPending}
          disabled={operation.state === 'cancelling'}
          onClick={() => void stop()}
        >
          {t('operations.stop')}
        </Button>
      ) : null}
    </li>
  );
}

function EndedOperation({
  operation,
  onUndo,
}: {
  operation: Operation;
  onUndo?: (() => Promise<void>) | undefined;
}) {
  const queryClient = useQueryClient();
  const dismiss = useAction(orpc.operations.dismiss.mutationOptions());
  const undo = useAction({ mutationFn: async () => onUndo?.() });
  const saving = useAction({
    mutationFn: async (name: string) =>
      (await loadFile(() => import('./download-operation.ts'))).downloadActFile(operation.id, name),
  });
  async function save(): Promise<void> {
    await saving
      .mutateAsync(operation.file?.name ?? '')
      .catch((error: unknown) => notify.error(errorMessage(error)));
  }
  const failedRows = useAction({
    mutationFn: async (importId: string) =>
      (await loadFile(() => import('./failed-rows-file.ts'))).downloadFailedRows(importId),
  });
  async function putAway(): Promise<void> {
    await dismiss
      .mutateAsync({ operationId: operation.id })
      .catch((error: unknown) => notify.error(errorMessage(error)));
    await queryClient.invalidateQueries({ queryKey: orpc.operations.key() });
  }
  const isBad = operation.state === 'failed' || operation.fileGone !== null;
  const [Icon, colour] = isBad
    ? [CircleAlert, 'text-danger']
    : operation.state === 'cancelled'
      ? [CircleSlash, 'text-muted']
      : [CircleCheck, 'text-success'];
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
      <Icon aria-hidden className={`size-4 shrink-0 ${colour}`} />
      <span className="line-clamp-3 min-w-40 flex-1 text-sm wrap-anywhere sm:line-clamp-none">
        <span className="font-medium">{titleOf(operation)}</span>{' '}
        <span className="text-muted tabular-nums">{outcomeOf(operation)}</span>
      </span>
      {operation.file ? (
        <Button
          size="small"
          icon={<Download aria-hidden />}
          loading={saving.isPending}
          onClick={() => void save()}
        >
          {t('operations.download')}
        </Button>
      ) : null}
      {operation.kind === 'contact-import' && operation.result.failed && can('contacts:create') ? (
        <Button
          size="small"
          icon={<Download aria-hidden />}
          loading={failedRows.isPending}
          onClick={() => void failedRows.mutateAsync(operation.id)}
        >
          {t('operations.failedRows')}
        </Button>
      ) : null}
      {onUndo ? (
        <Button
          size="small"
          icon={<Undo2 aria-hidden />}
          loading={undo.isPending}
          onClick={() => void undo.mutateAsync(undefined)}
        >
          {t('operations.undoRemoval')}
        </Button>
      ) : null}
      <IconButton
        size="small"
        className="ml-auto"
        label={t('operations.dismiss', { name: titleOf(operation) })}
        onClick={() => void putAway()}
      >
        <X aria-hidden />
      </IconButton>
    </li>
  );
}
