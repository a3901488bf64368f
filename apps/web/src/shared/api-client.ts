import type { ContractRouterClient } from '@orpc/contract';
import type { contract } from '@app/contracts/contract';
import type { ErrorCode } from '@app/contracts/errors';
import { createRequestMemory } from './actions/request-memory.ts';
import { askToReauthenticate } from './actions/ask-to-reauthenticate.ts';
import { isReading } from './offline/reading-calls.ts';
import { ApiError } from './rpc/api-error.ts';
import { createRpcClient, readRpcOutput, rpcRequest, type Call } from './rpc/rpc-client.ts';
import { workspaceHeader } from './workspaces/tab-workspace.ts';

/** What travels beside the input of a call: the key of a form that creates or sends. */
type CallContext = { idempotencyKey?: string };
type Api = ContractRouterClient<typeof contract, CallContext>;

const requestOnce = createRequestMemory(isUnanswered);

/** A call that changes something goes out once for one press, under one key. */
async function perform(call: Call<CallContext>): Promise<unknown> {
  const { path, input, signal, context } = call;
  if (isReading(path.at(-1) ?? '')) return send(call);
  const act = `${path.join('.')} ${JSON.stringify(input)}`;
  return requestOnce(
    // What can be given up by itself is shared with nobody.
    signal ? `${act} ${(lastAbortable += 1)}` : act,
    (idempotencyKey) => send({ ...call, context: { idempotencyKey } }),
    context?.idempotencyKey,
  );
}

async function send(call: Call<CallContext>): Promise<unknown> {
  try {
    return await fetchOutput(call);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // The same request, under its key, once the person has proved who they are.
    if (error.code === 'password_needed' && (await askToReauthenticate())) return fetchOutput(call);
    if (error.status === 401) sessionEndedListeners.forEach((listen) => listen());
    if (error.code === 'workspace_not_found') workspaceLostListeners.forEach((listen) => listen());
    throw error;
  }
}

async function fetchOutput({ context, ...call }: Call<CallContext>): Promise<unknown> {
  const key = context?.idempotencyKey;
  const response = await fetch(
    rpcRequest(call, { ...workspaceHeader(), ...(key && { 'idempotency-key': key }) }),
  );
  if (!response.ok) throw await readErrorBody(response);
  return readRpcOutput(response);
}

let lastAbortable = 0;

/** Every answer of ours that is no success has one form; what has another was written by a proxy in between. */
async function readErrorBody(response: Response): Promise<ApiError> {
  const body: { error?: { code?: string; message?: string; details?: unknown } } | null = await response
    .json()
    .catch(() => null);
  const { code = 'internal', message, details } = body?.error ?? {};
  return new ApiError(code, { status: response.status, ...(message && { message }), data: details });
}

/** The server's promises as functions: `await api.contacts.list({ search: 'ann' })`. */
export const api = createRpcClient(perform) as Api;

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
function classifyCode({ code, status }: ApiError): FailureCode {
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
  if (error instanceof ApiError) {
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
