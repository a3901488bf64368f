/** What may travel beside the input of a call. */
export type CallOptions<Context> = { signal?: AbortSignal | undefined; context?: Context };
export type Call<Context> = {
  path: readonly string[];
  input: unknown;
  signal: AbortSignal | undefined;
  context: Context | undefined;
};

/** Names under which the language and libraries look at any function; no endpoint has one of them (a test says so). */
const OF_THE_LANGUAGE = new Set([
  'then',
  'catch',
  'finally',
  'bind',
  'call',
  'apply',
  'toJSON',
  'toString',
  'valueOf',
  'name',
  'length',
  'prototype',
  'constructor',
]);

/** Whether a property is a step of a path in the contract. */
export function isStep(key: string | symbol): key is string {
  return typeof key === 'string' && !OF_THE_LANGUAGE.has(key);
}

/** `client.contacts.list(input)` becomes `perform({ path: ['contacts', 'list'], input })`. Its type is that of the contract, which weighs nothing here. */
export function createRpcClient<Context>(
  perform: (call: Call<Context>) => Promise<unknown>,
  path: readonly string[] = [],
): object {
  const call = (input?: unknown, { signal, context }: CallOptions<Context> = {}) =>
    perform({ path, input, signal, context });
  return new Proxy(call, {
    get: (target, key) =>
      isStep(key) ? createRpcClient(perform, [...path, key]) : (Reflect.get(target, key) as unknown),
  });
}

/**
 * The request of a call: RPC sends the input as `json`. All inputs of the contract are JSON; a file travels on routes of its own.
 */
export function rpcRequest(
  { path, input, signal }: Pick<Call<never>, 'path' | 'input' | 'signal'>,
  headers: Record<string, string>,
): Request {
  return new Request(`${location.origin}/api/rpc/${path.map(encodeURIComponent).join('/')}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ json: input }),
    ...(signal && { signal }),
    redirect: 'manual',
  });
}

/** The output of a call. */
export async function readRpcOutput(response: Response): Promise<unknown> {
  const { json } = (await response.json()) as { json?: unknown };
  return json;
}
