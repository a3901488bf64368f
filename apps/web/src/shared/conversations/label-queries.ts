import { orpc } from '../api.ts';

/** All labels of the workspace with their colours. */
export function labelsOptions() {
  return orpc.conversationLabels.list.queryOptions({ input: {}, staleTime: 60_000 });
}
