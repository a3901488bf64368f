import type { Permission } from '@app/domain/auth/permissions';
import type { MiddlewareHandler } from 'hono';
import { findBodyRule, SMALL_BODY } from './body-rules.ts';
import { findMissing } from './guard-access.ts';
import { isPlainJson } from './judge-json.ts';
import { BodyInterrupted, BodyTooSlow, openBody } from './read-body.ts';
import { refuse } from './refuse.ts';
import type { Session } from './request-context.ts';
import { createTurns, QueueTooLong } from './turns.ts';

const WITHOUT_BODY = new Set(['GET', 'HEAD']);
/** Large bodies of one workspace and one kind that are in memory at a time; the others wait in the network, but not for ever. */
const LARGE_AT_ONCE = {
  atOnce: 4,
  mostWaiting: 100,
  ofOne: { atOnce: 2, mostWaiting: 20 },
  longestWaitMs: 30_000,
};
/** A part of a file comes at 32 kB/s from a slow telephone. */
const PACE_OF_FILES = { bytesPerSecond: 24 * 1024, patienceMs: 15_000 };
const PACE = { bytesPerSecond: 64 * 1024, patienceMs: 10_000 };
/** To parse a large body takes the whole process for a moment: one after the other, and others come in between. */
const ONE_AFTER_THE_OTHER = { atOnce: 1, mostWaiting: Infinity };
const LONGEST_MOMENT_MS = 250;

/**
 * Stands before every handler and reads the body for it: counted, at most `SMALL_BODY` before it is asked who calls, and
 * then what the rule of the route allows to people who may call it. Nothing behind it can meet a body without an end, or
 * JSON that a parser stands still on.
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
    const isFit = async () => rule.isFile === true || isPlainJson(body.bytes());
    if (await body.readUpTo(Math.min(most, SMALL_BODY)))
      return (await isFit()) ? handOn() : refuse('body_too_complex');
    if (most <= SMALL_BODY) return refuse('body_too_large');
    const session = await readSession(request);
    if (!session) return refuse(rule.access === 'public' ? 'body_too_large' : 'signed_out');
    if (body.declared !== null && body.declared > most) return refuse('body_too_large');
    const missing = findMissing(rule.access, session);
    if (missing) return forbid(missing);
    // A form of another kind has no use for so much, and what it nests is not counted here.
    if (!rule.isFile && !isJson(request)) return refuse('body_too_large');
    const giveBack = await turns.take(`${session.workspaceId} ${most}`, session.user.id);
    try {
      if (!(await body.readUpTo(most, rule.isFile ? PACE_OF_FILES : PACE))) return refuse('body_too_large');
      if (!(await isFit())) return refuse('body_too_complex');
      const giveUpMoment = await moments.take('');
      setTimeout(giveUpMoment, LONGEST_MOMENT_MS);
      await new Promise((resolve) => setImmediate(resolve));
      return await handOn().finally(giveUpMoment);
    } finally {
      giveBack();
    }
  };
}

/** Whether it is read as JSON behind here, which a body of no named kind is as well. */
function isJson(request: Request): boolean {
  return (request.headers.get('content-type') ?? 'application/json').startsWith('application/json');
}

function forbid(permission: Permission): Response {
  const error = { code: 'FORBIDDEN', message: `You need the permission ${permission}.` };
  return Response.json({ error }, { status: 403, headers: { 'cache-control': 'no-store' } });
}

/** What can go wrong with any body and is nobody's bug. */
export function refuseBody(error: unknown): Response | null {
  if (error instanceof BodyInterrupted) return refuse('body_interrupted');
  if (error instanceof BodyTooSlow) return refuse('body_too_slow');
  if (error instanceof QueueTooLong) return refuse('server_busy', { headers: { 'retry-after': '5' } });
  return null;
}
