import { onlineManager } from '@tanstack/react-query';
import { orpc, readFailure } from './api.ts';
import { followLists } from './live/follow-lists.ts';
import { isReachable, liveTelling, onReachability } from './live/live-events.ts';
import { ServerDataClient } from './server-data-client.ts';

// While nothing can be reached queries wait instead of failing, and then go on.
onlineManager.setEventListener((setOnline) => {
  setOnline(isReachable());
  return onReachability(() => setOnline(isReachable()));
});

const FIRST_RETRY_MS = 400;

/** The one cache of server data; pages paint from it at once and revalidate behind. */
export const queryClient = new ServerDataClient(
  {
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        gcTime: 10 * 60_000,
        // Refusals stay refusals; only a lost connection or a failing server is worth another try.
        retry: (count, error) =>
          count < 2 && ['offline', 'internal', 'server_busy'].includes(readFailure(error).code),
        retryDelay: (attempt) => FIRST_RETRY_MS * 2 ** attempt,
      },
      // Refused at once without a connection: one that waited would be sent long after the person gave it up.
      mutations: { retry: false, networkMode: 'always' },
    },
  },
  liveTelling,
);

followLists(queryClient);

// Somebody looks at them and waits for what a customer writes.
const { list, get, listMessages } = orpc.conversations;
for (const { key } of [list, get, listMessages])
  queryClient.setQueryDefaults(key(), { meta: { isPrompt: true } });
