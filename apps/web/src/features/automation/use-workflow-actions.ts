import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../../shared/actions/use-action.ts';
import { api, orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { notify } from '../../ui/toast.ts';
import { workflowErrorMessage, workflowKeys, type Workflow } from './workflows-queries.ts';

/** What can be done with a workflow as a whole, with its questions and notifications. */
export function useWorkflowActions() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const confirm = useConfirm();
  const refresh = () => {
    for (const queryKey of workflowKeys()) void queryClient.invalidateQueries({ queryKey });
  };
  const onError = (error: unknown) => notify.error(workflowErrorMessage(error));

  const switching = useAction({
    mutationFn: ({ act, workflowId }: { act: 'activate' | 'pause'; workflowId: string }) =>
      api.workflows[act]({ workflowId }),
    onSuccess: (_, { act }) => notify.success(t(`automation.done.${act}`)),
    onError,
    onSettled: refresh,
  });
  const duplicating = useAction({
    mutationFn: (workflowId: string) => api.workflows.duplicate({ workflowId }),
    onSuccess: ({ id }) => {
      notify.success(t('automation.done.duplicate'));
      void navigate({ to: paths.workflow(id) });
    },
    onError,
    onSettled: refresh,
  });
  const removing = useAction({
    mutationFn: (workflowId: string) => api.workflows.remove({ workflowId }),
    onSuccess: (_, workflowId) => {
      queryClient.removeQueries({ queryKey: orpc.workflows.get.queryKey({ input: { workflowId } }) });
      notify.success(t('automation.done.delete'));
    },
    onError,
    onSettled: refresh,
  });

  return {
    isSwitching: (workflowId: string) => switching.isPending && switching.variables.workflowId === workflowId,
    toggle: ({ id, status }: Workflow) =>
      switching.mutate({ act: status === 'active' ? 'pause' : 'activate', workflowId: id }),
    duplicate: ({ id }: Workflow) => duplicating.mutate(id),
    /** Asks first; answers whether it was deleted. */
    async remove({ id, stats }: Workflow): Promise<boolean> {
      let isDeleted = false;
      await confirm({
        title: t('automation.deleteQuestion'),
        text: t('automation.deleteText', { n: stats.running }),
        confirmLabel: t('common.delete'),
        work: () =>
          removing.mutateAsync(id).then(
            () => (isDeleted = true),
            () => undefined,
          ),
      });
      return isDeleted;
    },
  };
}

export type WorkflowActions = ReturnType<typeof useWorkflowActions>;
