import { createORPCClient, ORPCError } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import type { ContractRouterClient } from '@orpc/contract';
import type { contract } from '@app/contracts/contract';
import { createActMemory } from './act-memory.ts';
import { isReading } from './reading-calls.ts';

/** What travels beside the input of a call: the key of a form that creates or sends. */
type CallContext = { idempotencyKey?: string };
type Api = ContractRouterClient<typeof contract, CallContext>;

const actOnce = createActMemory(isUnanswered);

const link = new RPCLink<CallContext>({
  url: () => `${location.origin}/api/rpc`,
  headers: ({ context: { idempotencyKey } }) => (idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
  interceptors: [
    async ({ next, ...call }) => {
      const { path, input, signal } = call;
      const perform = (idempotencyKey: string) => next({ ...call, context: { idempotencyKey } });
      if (isReading(path.at(-1) ?? '')) return next();
      const act = `${path.join('.')} ${JSON.stringify(input)}`;
      // What can be given up by itself is shared with nobody.
      return actOnce(signal ? `${act} ${(lastAbortable += 1)}` : act, perform, call.context.idempotencyKey);
    },
    async ({ next }) => {
      try {
        return await next();
      } catch (error) {
        if (error instanceof ORPCError && error.status === 401)
          sessionEndedListeners.forEach((listen) => listen());
        throw error;
      }
    },
  ],
});

let lastAbortable = 0;

/** The server's promises as functions: `await api.contacts.list({ search: 'ann' })`. */
export const api: Api = createORPCClient(link);

const sessionEndedListeners = new Set<() => void>();

/** Calls back when the server says that nobody is signed in any more. */
export function onSessionEnded(listener: () => void): () => void {
  sessionEndedListeners.add(listener);
  return () => sessionEndedListeners.delete(listener);
}

export type ApiFailure = {
  /** `invalid_input`, a code of the contract's error table, `FORBIDDEN`, `offline`, `internal` … */
  code: string;
  /** The form field at fault, when one is. */
  field: string | null;
  values: Record<string, string | number>;
  issues: { field: string; message: string }[];
};

/** Nobody knows whether the act was done: its answer did not come. That is no refusal. */
export function isUnanswered(error: unknown): boolean {
  return ['offline', 'internal', 'server_busy'].includes(readFailure(error).code);
}

/** Turns whatever a call threw into one shape; messages for people come from the catalogues by `code`. */
export function readFailure(error: unknown): ApiFailure {
  if (error instanceof ORPCError) {
    const data = (error.data ?? {}) as Partial<ApiFailure>; // every refusal of our API has this shape
    return {
      code: error.status >= 500 && error.code !== 'server_busy' ? 'internal' : error.code,
      field: data.field ?? data.issues?.[0]?.field ?? null,
      values: data.values ?? {},
      issues: data.issues ?? [],
    };
  }
  // fetch rejects with a TypeError when the server cannot be reached
  return { code: error instanceof TypeError ? 'offline' : 'internal', field: null, values: {}, issues: [] };
}
