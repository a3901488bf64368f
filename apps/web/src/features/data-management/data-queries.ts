import { orpc } from '../../shared/api.ts';

/** What the workspace holds. */
export function dataOptions() {
  return orpc.dataManagement.summarize.queryOptions({ input: {} });
}
