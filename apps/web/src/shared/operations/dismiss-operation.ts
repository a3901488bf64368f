import { api, orpc } from '../api.ts';
import { queryClient } from '../query-client.ts';

/** Takes the line of what has ended out of the banner, where the person has just been told otherwise and nothing can be done from it. */
export async function dismissOperation(operationId: string): Promise<void> {
  await api.operations.dismiss({ operationId }).catch(() => undefined);
  await queryClient.invalidateQueries({ queryKey: orpc.operations.key() });
}
