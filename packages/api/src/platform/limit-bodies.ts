import type { MiddlewareHandler } from 'hono';
import { findBodyRule, SMALL_BODY } from './body-rules.ts';
import { BodyInterrupted, openBody } from './read-body.ts';
import { refuse } from './refuse.ts';
import type { Session } from './request-context.ts';
import { createTurns, QueueTooLong } from './turns.ts';

const WITHOUT_BODY = new Set(['GET', 'HEAD']);
/** Large bodies of one workspace and one kind that are in memory at a time; the others wait in the network. */
const LARGE_AT_ONCE = { atOnce: 4, mostWaiting: 100 };
/** To parse a large body takes the whole process for a moment: one after the other, and others come in between. */
const ONE_AFTER_THE_OTHER = { atOnce: 1, mostWaiting: Infinity };
const LONGEST_MOMENT_MS = 250;

/**
 * Stands before every handler and reads the body for it: counted, at most `SMALL_BODY` before it is asked who calls, and
 * then what the rule of the route allows. Nothing behind it can meet a body without an end.
 */
export function limitBodies(readSession: (request: Request) => Promise<Session | null>): MiddlewareHandler {
  const turns = createTurns(LARGE_AT_ONCE);
  const moments = createTurns(ONE_AFTER_THE_OTHER);

  return async (c, next) => {
    const request = c.req.raw;
    if (WITHOUT_BODY.has(request.method)) return next();
    const rule = findBodyRule(request.method, c.req.path);
    const { most } = rule;
    if (most === 'streamed') return next();
    const body = openBody(request);
    const handOn = () => {
      c.req.raw = new Request(request, { method: request.method, body: body.bytes() });
      return next();
    };
    if (await body.readUpTo(Math.min(most, SMALL_BODY))) return handOn();
    if (most <= SMALL_BODY) return refuse('body_too_large');
    const session = await readSession(request);
    if (!session) return refuse(rule.isPublic ? 'body_too_large' : 'signed_out');
    if (body.declared !== null && body.declared > most) return refuse('body_too_large');
    const giveBack = await turns.take(`${session.workspaceId} ${most}`);
    try {
      if (!(await body.readUpTo(most))) return refuse('body_too_large');
      const giveUpMoment = await moments.take('');
      setTimeout(giveUpMoment, LONGEST_MOMENT_MS);
      await new Promise((resolve) => setImmediate(resolve));
      return await handOn().finally(giveUpMoment);
    } finally {
      giveBack();
    }
  };
}

/** What can go wrong with any body and is nobody's bug. */
export function refuseBody(error: unknown): Response | null {
  if (error instanceof BodyInterrupted) return refuse('body_interrupted');
  if (error instanceof QueueTooLong) return refuse('server_busy', { headers: { 'retry-after': '5' } });
  return null;
}
