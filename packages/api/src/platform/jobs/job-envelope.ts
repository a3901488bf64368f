import { readCause, type Cause } from '@app/domain/events/fact-cause';
import type { Caller } from '@app/domain/auth/caller';

/** Beside the payload of a stored job. No payload has a value of this name. */
const ENVELOPE = '$left';

/** What led to a job and, where it runs in the name of the one that left it, who that is. Permissions are read when it runs. */
export type LeftBy = { cause: Cause | null; caller: Caller | null };

/** The row's data: a payload, with what led to it. */
export function wrapPayload(payload: object, { cause, caller }: LeftBy): object {
  if (cause === null && caller === null) return payload;
  const { workspaceId: _, permissions: __, ...from } = caller ?? {};
  return { ...payload, [ENVELOPE]: { cause, from: caller && from } };
}

/** The same read back. A job that an earlier version of the product left has neither. */
export function unwrapPayload(
  data: unknown,
  workspaceId: string | null,
): { payload: unknown; cause: Cause | null; from: Caller | null } {
  if (typeof data !== 'object' || data === null || !(ENVELOPE in data))
    return { payload: data, cause: null, from: null };
  const { [ENVELOPE]: envelope, ...payload } = data;
  const { from = null, cause } = Object(envelope) as { from?: object | null; cause?: unknown };
  const isKnown = from !== null && workspaceId !== null;
  return {
    ...{ payload, cause: readCause(cause) },
    // It was written from a caller.
    from: isKnown ? ({ ...from, workspaceId, permissions: [] } as unknown as Caller) : null,
  };
}
