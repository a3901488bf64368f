import type { FlowFile } from '@app/domain/flows/flow-file';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../../../shared/actions/use-action.ts';
import { orpc } from '../../../shared/api.ts';
import { t } from '../../../shared/messages.ts';
import { paths } from '../../../shared/paths.ts';
import { notify } from '../../../ui/toast.ts';
import { flowsOptions } from '../chatbot-queries.ts';

/** Makes a draft of a flow file, and opens its editor. */
export function useNewDraft(closeSaved: (close: () => void) => void) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const create = useAction(orpc.chatbot.importFlow.mutationOptions());
  return {
    error: create.error,
    isSaving: create.isPending,
    async save(flow: FlowFile) {
      try {
        const made = await create.mutateAsync(flow);
        notify.success(t('botFlows.created'));
        void queryClient.invalidateQueries({ queryKey: flowsOptions.queryKey });
        closeSaved(() => void navigate({ to: paths.botFlow(made.id) }));
      } catch {
        // Shown in the form, from the failed call.
      }
    },
  };
}
