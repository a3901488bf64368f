import type { Hono } from 'hono';
import { isObject } from './json.ts';

/** `GET` and `POST …/behaviour`: the switches of a stand-in. What it does not have is refused, and nothing changes. */
export function mountSwitches<Behaviour extends object>(
  app: Hono,
  of: { behaviour: Behaviour },
  /** The changes in their clean form, where they are more than numbers and flags. */
  clean: (changes: Readonly<Record<string, unknown>>) => object = (changes) => changes,
): void {
  app.get('/behaviour', (c) => c.json(of.behaviour));
  app.post('/behaviour', async (c) => {
    const changes: unknown = await c.req.json().catch(() => undefined);
    if (!isObject(changes)) return c.json({ error: { message: 'Send an object of switches.' } }, 400);
    const unknown = Object.keys(changes).find((name) => !Object.hasOwn(of.behaviour, name));
    if (unknown !== undefined) return c.json({ error: { message: `There is no switch "${unknown}".` } }, 400);
    of.behaviour = { ...of.behaviour, ...clean(changes) };
    return c.json(of.behaviour);
  });
}
