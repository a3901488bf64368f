import { isOver } from '@app/domain/operations/operation-state';
import { findOperation } from '../platform/operations/operation-rows.ts';
import type { SignedInContext } from '../platform/request-context.ts';

/** Longer no proxy lets a request be; whoever wants to know more asks for the act. */
const MOST_SECONDS = 50;
/** Behind what is told. */
const LOOK_EVERY_MS = 2_000;

/** Resolves when the act is over, wherever it runs, when its caller is gone, or when that takes too long. */
export async function waitForEnd(
  { read, liveEvents, caller }: SignedInContext,
  operationId: string,
  { seconds, gone }: { seconds: number; gone: AbortSignal },
): Promise<void> {
  let wake = () => {};
  const unsubscribe = liveEvents.subscribe(caller.workspaceId, ({ topic, payload }) => {
    if (topic === 'progress' && payload.operationId === operationId) wake();
  });
  const until = performance.now() + Math.min(seconds, MOST_SECONDS) * 1_000;
  try {
    while (performance.now() < until && !gone.aborted) {
      const told = new Promise<void>((resolve) => (wake = resolve));
      const operation = await read((scope) => findOperation(scope, operationId));
      if (!operation || isOver(operation.state)) return;
      let timer: ReturnType<typeof setTimeout> | undefined;
      await Promise.race([told, new Promise((resolve) => (timer = setTimeout(resolve, LOOK_EVERY_MS)))]);
      clearTimeout(timer);
    }
  } finally {
    unsubscribe();
  }
}
