import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, orpc } from '../../shared/api.ts';
import { newIdempotencyKey } from '../../shared/sending/idempotency-key.ts';

export type SentBulkMessage = Awaited<ReturnType<typeof api.bulkMessage.send>>;
type BulkMessageRequest = Omit<Parameters<typeof api.bulkMessage.send>[0], 'idempotencyKey'>;

/**
 * Sends once, however often the button is pressed and however often a lost answer is asked for again: the same request
 * keeps its key, a changed one gets a new key.
 */
export function useSendBulkMessage() {
  const queryClient = useQueryClient();
  const attempt = useRef<{ request: string; key: string }>(undefined);
  return useMutation({
    mutationFn: (request: BulkMessageRequest) => {
      const asText = JSON.stringify(request);
      if (attempt.current?.request !== asText)
        attempt.current = { request: asText, key: newIdempotencyKey() };
      return api.bulkMessage.send({ ...request, idempotencyKey: attempt.current.key });
    },
    // What was refused is looked at anew, so that the page shows why.
    onError: () => {
      void queryClient.invalidateQueries({ queryKey: orpc.campaigns.preflight.key() });
      void queryClient.invalidateQueries({ queryKey: orpc.segments.list.key() });
    },
    onSuccess: () => {
      // The same message on purpose, later, is another one.
      attempt.current = undefined;
      void queryClient.invalidateQueries({ queryKey: orpc.campaigns.key() });
    },
  });
}
