import type { RouterUtils } from '@orpc/tanstack-query';
import { api } from './api-client.ts';
import { createQueryUtils } from './rpc/query-utils.ts';

// Public pages import `api-client.ts` itself: they do without the query cache and stay light.
export { newKey } from './actions/request-memory.ts';
export {
  api,
  isDoneBefore,
  isUnanswered,
  onSessionEnded,
  onWorkspaceLost,
  readFailure,
} from './api-client.ts';
export type { ApiFailure } from './api-client.ts';

/** The same as query and mutation options: `useQuery(orpc.contacts.list.queryOptions({ input }))`. */
export const orpc = createQueryUtils(api) as RouterUtils<typeof api>;
