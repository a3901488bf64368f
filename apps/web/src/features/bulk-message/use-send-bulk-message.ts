import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, orpc } from '../../shared/api.ts';

export type SentBulkMessage = Awaited<ReturnType<typeof api.bulkMessage.send>>;
type BulkMessageRequest = Parameters<typeof api.bulkMessage.send>[0];

export function useSendBulkMessage() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: BulkMessageRequest) => api.bulkMessage.send(request),
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
