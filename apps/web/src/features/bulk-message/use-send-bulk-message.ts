import { useQueryClient } from '@tanstack/react-query';
import { api, orpc } from '../../shared/api.ts';
import { useAction } from '../../shared/actions/use-action.ts';

export type SentBulkMessage = Awaited<ReturnType<typeof api.bulkMessage.send>>;
type BulkMessageRequest = Parameters<typeof api.bulkMessage.send>[0];

/** `draftKey` belongs to the draft: with it the draft leaves once, however often and from wherever it is sent. */
export function useSendBulkMessage(draftKey: string) {
  const queryClient = useQueryClient();
  return useAction({
    mutationFn: (request: BulkMessageRequest) =>
      api.bulkMessage.send(request, { context: { idempotencyKey: draftKey } }),
    // What was refused is looked at anew, so that the page shows why.
    onError: () => {
      void queryClient.invalidateQueries({ queryKey: orpc.campaigns.preflight.key() });
      void queryClient.invalidateQueries({ queryKey: orpc.segments.list.key() });
    },
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: orpc.campaigns.key() });
    },
  });
}
