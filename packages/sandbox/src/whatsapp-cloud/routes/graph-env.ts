import type { Context } from 'hono';
import type { Platform } from '../platform.ts';
import type { NodeContext } from '../nodes/node-type.ts';
import type { App } from '../store.ts';

export interface GraphEnv {
  Variables: { graphApp: App };
  Bindings: { incoming?: { socket: { destroy(): void } } };
}

/** Under which name and scheme the caller reaches the sandbox. */
export function originOf(c: Context<GraphEnv>): string {
  return new URL(c.req.url).origin;
}

export function nodeContext(platform: Platform, c: Context<GraphEnv>): NodeContext {
  return { platform, origin: originOf(c), url: c.req.url };
}
