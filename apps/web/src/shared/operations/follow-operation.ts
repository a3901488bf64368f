import { api } from '../api.ts';
import { liveTelling, onLiveEvent } from '../live/live-events.ts';
import { isOperationOver, type Operation } from './operations.ts';

/** Only while nothing is told: the stream is gone, or not there yet. */
const LOOK_EVERY_MS = 1_000;
const MOST_MISSES = 20;

/** Resolves with the act once it is over; null when nobody knows of it, or the server cannot be asked any more. */
export function followOperation(operationId: string): Promise<Operation | null> {
  return new Promise((resolve) => {
    let misses = 0;
    let isLooking = false;
    let mustLookAgain = false;
    const look = async () => {
      // What is told meanwhile may be newer than the answer that is on its way, and is told once.
      mustLookAgain = isLooking;
      if (isLooking) return;
      isLooking = true;
      try {
        const operation = await api.operations.get({ operationId });
        misses = 0;
        if (isOperationOver(operation)) return end(operation);
      } catch {
        misses += 1;
        if (misses > MOST_MISSES) return end(null);
      } finally {
        isLooking = false;
      }
      if (mustLookAgain) void look();
    };
    const stop = onLiveEvent(({ topic, payload }) => {
      if (topic === 'resync' || (topic === 'progress' && payload.operationId === operationId)) void look();
    });
    const timer = setInterval(() => {
      if (!liveTelling.isConnected() || misses > 0) void look();
    }, LOOK_EVERY_MS);
    const end = (operation: Operation | null) => {
      stop();
      clearInterval(timer);
      resolve(operation);
    };
    void look();
  });
}
