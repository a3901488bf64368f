import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../../shared/actions/use-action.ts';
import { api, orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { notify } from '../../ui/toast.ts';
import { workflowErrorMessage, workflowKeys, type Workflow } from './workflows-queries.ts';

type Switch = { act: 'activate' | 'pause'; workflowId: string; heldRuns: 'end' | 'continue' };

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
    mutationFn: ({ act, workflowId, heldRuns }: Switch) =>
      act === 'pause'
        ? api.workflows.pause({ workflowId })
        : api.workflows.activate({ workflowId, heldRuns }),
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
    /** Asks what becomes of runs that waited when a restored backup was taken. */
    async toggle({ id, status, pausedFor }: Workflow): Promise<void> {
      const held = pausedFor?.heldRuns ?? 0;
      let heldRuns: Switch['heldRuns'] = 'end';
      const isMeant =
        held === 0 ||
        (await confirm({
          title: t('automation.held.question'),
          text: t('automation.held.text', { n: held }),
          option: {
            label: t('automation.held.option'),
            onChange: (isOn) => (heldRuns = isOn ? 'continue' : 'end'),
          },
          confirmLabel: t('automation.held.confirm'),
          danger: false,
        }));
      if (isMeant)
        switching.mutate({ act: status === 'active' ? 'pause' : 'activate', workflowId: id, heldRuns });
    },
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
