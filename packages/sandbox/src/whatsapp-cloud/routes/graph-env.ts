import type { Context } from 'hono';
import { objectOf, parseJson, type JsonObject } from '../../core/json.ts';
import type { App } from '../store.ts';

export interface GraphEnv {
  Variables: { graphApp: App };
  Bindings: { incoming?: { socket: { destroy(): void } } };
}

/** The parameters of a call: query, then form or JSON body. The platform takes either. */
export async function readParameters(c: Context<GraphEnv>): Promise<JsonObject> {
  const parameters: JsonObject = { ...c.req.query() };
  const type = c.req.header('content-type') ?? '';
  if (type.includes('form')) return Object.assign(parameters, await c.req.parseBody());
  const text = await c.req.text();
  return Object.assign(parameters, objectOf(parseJson(text)));
}

/** Under which name and scheme the caller reaches the sandbox. */
export function originOf(c: Context<GraphEnv>): string {
  return new URL(c.req.url).origin;
}
