import type { Context, MiddlewareHandler } from 'hono';
import { SMALL_BODY, type FindBodyRule } from './body-rules.ts';
import { findMissing, sayMissing } from '../guard-access.ts';
import { isPlainJson } from './validate-json.ts';
import { createLargeBodies } from './large-bodies.ts';
import { StorageFull } from '../media-store.ts';
import { BodyInterrupted, BodyTooSlow, openBody } from './read-body.ts';
import { refuse } from './refuse.ts';
import type { Session } from '../request-context.ts';
import { createTurns, QueueTooLong } from './turns.ts';

const WITHOUT_BODY = new Set(['GET', 'HEAD']);
/**
 * Bodies of one workspace and one kind that are in memory at a time; the others wait in the network, but not for ever. What
 * says that it is of middle size has places of its own, as many as weigh one large body, and waits for no large one.
 */
const MIDDLE_BODY = 512 * 1024;
const LONGEST_WAIT_MS = 30_000;
const LARGE = { atOnce: 4, mostWaiting: 100, ofOne: { atOnce: 2, mostWaiting: 20 } };
const MIDDLE = { atOnce: 16, mostWaiting: 200, ofOne: { atOnce: 8, mostWaiting: 40 } };
const JSON_LINES = {
  longestWaitMs: LONGEST_WAIT_MS,
  pace: { bytesPerSecond: 64 * 1024, patienceMs: 10_000 },
  paceOfSlowest: { bytesPerSecond: 512 * 1024, patienceMs: 500 },
};
/** A part of a file comes at 32 kB/s from a slow telephone; many of them have places before one must give way. */
const PARTS_OF_FILES = {
  atOnce: 12,
  mostWaiting: 100,
  ofOne: { atOnce: 2, mostWaiting: 20 },
  longestWaitMs: LONGEST_WAIT_MS,
  pace: { bytesPerSecond: 24 * 1024, patienceMs: 15_000 },
  paceOfSlowest: { bytesPerSecond: 256 * 1024, patienceMs: 2_000 },
};
/** To parse a large body takes the whole process for a moment: one after the other, and others come in between. */
const ONE_AFTER_THE_OTHER = { atOnce: 1, mostWaiting: Infinity };
const LONGEST_MOMENT_MS = 250;

/**
 * Stands before every handler and reads the body for it: counted, at most `SMALL_BODY` before it is asked who calls, and
 * then what the rule of the route allows to people who may call it. Nothing behind it can meet a body without an end, or
 * JSON that a parser stands still on.
 */
export function limitBodies(
  findBodyRule: FindBodyRule,
  readSession: (c: Context) => Promise<Session | null>,
): MiddlewareHandler {
  const inPlace = {
    large: createLargeBodies({ ...LARGE, ...JSON_LINES }),
    middle: createLargeBodies({ ...MIDDLE, ...JSON_LINES }),
    part: createLargeBodies(PARTS_OF_FILES),
  };
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
    const session = await readSession(c);
    if (!session) return refuse(rule.access === 'public' ? 'body_too_large' : 'signed_out');
    if (body.declared !== null && body.declared > most) return refuse('body_too_large');
    const missing = findMissing(rule.access, session);
    if (missing) return refuse('FORBIDDEN', { message: sayMissing(missing) });
    // A form of another kind has no use for so much, and what it nests is not counted here.
    if (!rule.isFile && !isJson(request)) return refuse('body_too_large');
    const isMiddle = body.declared !== null && body.declared <= MIDDLE_BODY;
    const size = rule.isFile ? 'part' : isMiddle ? 'middle' : 'large';
    const sender = { key: `${session.workspaceId} ${most}`, sharer: session.user.id };
    const mostOf = { part: most, middle: MIDDLE_BODY, large: most };
    return inPlace[size](body, sender, async (readWhole) => {
      if (!(await readWhole(mostOf[size]))) return refuse('body_too_large');
      if (!(await isFit())) return refuse('body_too_complex');
      const giveUpMoment = await moments.take('');
      setTimeout(giveUpMoment, LONGEST_MOMENT_MS);
      await new Promise((resolve) => setImmediate(resolve));
      return handOn().finally(giveUpMoment);
    });
  };
}

/** Whether it is read as JSON behind here, which a body of no named kind is as well. */
function isJson(request: Request): boolean {
  return (request.headers.get('content-type') ?? 'application/json').startsWith('application/json');
}

/** What can go wrong with any body and is nobody's bug. */
export function refuseBody(error: unknown): Response | null {
  if (error instanceof BodyInterrupted) return refuse('body_interrupted');
  if (error instanceof BodyTooSlow) return refuse('body_too_slow');
  if (error instanceof QueueTooLong) return refuse('server_busy');
  if (error instanceof StorageFull) return refuse('storage_full');
  return null;
}
