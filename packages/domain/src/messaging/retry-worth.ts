import { lastingCodes } from '../channel-kinds/kind-codes.ts';

/**
 * Errors that say something lasting about the contact: the same message to them fails again, whatever is changed. Everything else may succeed
 * another time, by itself or once its cause is removed. Each kind of channel names its own (`KindErrors.lasting`).
 */
export const lastingErrors: readonly string[] = lastingCodes;

/** Whether sending the same once more can succeed; null is a failure without a code. */
export function mayStillSucceed(code: string | null): boolean {
  return code === null || !lastingErrors.includes(code);
}
