import { createORPCClient, ORPCError } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import type { ContractRouterClient } from '@orpc/contract';
import type { contract } from '@app/contracts/contract';
import type { ErrorCode } from '@app/contracts/errors';
import { createRequestMemory } from './actions/request-memory.ts';
import { askToReauthenticate } from './actions/ask-to-reauthenticate.ts';
import { isReading } from './offline/reading-calls.ts';
import { workspaceHeader } from './workspaces/tab-workspace.ts';

/** What travels beside the input of a call: the key of a form that creates or sends. */
type CallContext = { idempotencyKey?: string };
type Api = ContractRouterClient<typeof contract, CallContext>;

const requestOnce = createRequestMemory(isUnanswered);

const link = new RPCLink<CallContext>({
  url: () => `${location.origin}/api/rpc`,
  headers: ({ context: { idempotencyKey } }) => ({
    ...workspaceHeader(),
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
  }),
  fetch: async (request, init) => {
    const response = await fetch(request, init);
    if (response.ok) return response;
    throw await readErrorBody(response);
  },
  interceptors: [
    async ({ next, ...call }) => {
      const { path, input, signal } = call;
      const perform = (idempotencyKey: string) => next({ ...call, context: { idempotencyKey } });
      if (isReading(path.at(-1) ?? '')) return next();
      const act = `${path.join('.')} ${JSON.stringify(input)}`;
      // What can be given up by itself is shared with nobody.
      return requestOnce(
        signal ? `${act} ${(lastAbortable += 1)}` : act,
        perform,
        call.context.idempotencyKey,
      );
    },
    async ({ next }) => {
      try {
        return await next();
      } catch (error) {
        // The same request, under its key, once the person has proved who they are.
        if (error instanceof ORPCError && error.code === 'password_needed' && (await askToReauthenticate()))
          return next();
        if (error instanceof ORPCError && error.status === 401)
          sessionEndedListeners.forEach((listen) => listen());
        if (error instanceof ORPCError && error.code === 'workspace_not_found')
          workspaceLostListeners.forEach((listen) => listen());
        throw error;
      }
    },
  ],
});

let lastAbortable = 0;

/** Every answer of ours that is no success has one form; what has another was written by a proxy in between. */
async function readErrorBody(response: Response): Promise<ORPCError<string, unknown>> {
  const body: { error?: { code?: string; message?: string; details?: unknown } } | null = await response
    .json()
    .catch(() => null);
  const { code = 'internal', message, details } = body?.error ?? {};
  return new ORPCError(code, { status: response.status, ...(message && { message }), data: details });
}

/** The server's promises as functions: `await api.contacts.list({ search: 'ann' })`. */
export const api: Api = createORPCClient(link);

const sessionEndedListeners = new Set<() => void>();

/** Calls back when the server says that nobody is signed in any more. */
export function onSessionEnded(listener: () => void): () => void {
  sessionEndedListeners.add(listener);
  return () => sessionEndedListeners.delete(listener);
}

const workspaceLostListeners = new Set<() => void>();

/** Calls back when the server says that the workspace of this tab is none of the person's. */
export function onWorkspaceLost(listener: () => void): () => void {
  workspaceLostListeners.add(listener);
  return () => workspaceLostListeners.delete(listener);
}

/** A code of the contract, or that no answer came at all. */
export type FailureCode = ErrorCode | 'offline';

export type ApiFailure = {
  code: FailureCode;
  /** The form field at fault, when one is. */
  field: string | null;
  values: Record<string, string | number>;
  issues: { field: string; message: string }[];
};

/** Nobody knows whether the act was done: its answer did not come. That is no refusal. */
export function isUnanswered(error: unknown): boolean {
  return ['offline', 'internal', 'server_busy', 'database_away'].includes(readFailure(error).code);
}

/** An earlier request under this key was done; the refusal names what it made while that is known. */
export function isDoneBefore(code: FailureCode): boolean {
  return code === 'idempotency_key_reused' || code === 'idempotency_answer_gone';
}

/** The server sends codes of the contract only; what is down for the moment is said, and all else that failed there is one. */
function classifyCode({ code, status }: ORPCError<string, unknown>): FailureCode {
  const passes: string[] = [
    ...(['database_read_only'] satisfies FailureCode[]),
    ...([
      'server_busy',
      'database_away',
      'company_sign_in_away',
      'storage_full',
      'database_full',
    ] satisfies FailureCode[]),
  ];
  return status >= 500 && !passes.includes(code) ? 'internal' : (code as FailureCode);
}

/** Turns whatever a call threw into one shape; messages for people come from the catalogues by `code`. */
export function readFailure(error: unknown): ApiFailure {
  if (error instanceof ORPCError) {
    const data = (error.data ?? {}) as Partial<ApiFailure>; // every refusal of our API has this shape
    return {
      code: classifyCode(error),
      field: data.field ?? data.issues?.[0]?.field ?? null,
      values: data.values ?? {},
      issues: data.issues ?? [],
    };
  }
  // fetch rejects with a TypeError when the server cannot be reached
  return { code: error instanceof TypeError ? 'offline' : 'internal', field: null, values: {}, issues: [] };
}
