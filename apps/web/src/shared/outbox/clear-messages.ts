import { openOutboxStore } from './outbox-store.ts';

/** Takes away what waits to be sent in a workspace that its writer belongs to no more. */
export async function clearMessagesOf(workspaceId: string): Promise<void> {
  const store = openOutboxStore();
  const items = await store.readAll();
  const ids = items.filter(({ owner }) => owner.startsWith(`${workspaceId}:`)).map(({ id }) => id);
  if (ids.length > 0) await store.remove(ids);
}
