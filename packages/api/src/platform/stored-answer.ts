import { ORPCError } from '@orpc/server';
import { errorTable } from '@app/contracts/errors';
import type { Claim } from './idempotency.ts';

/** How long a second press waits for the first one. */
const WAITS_MS = 20_000;
const LOOKS_EVERY_MS = 150;

export type Answer = { answer: unknown };

type Refusal = Extract<
  keyof typeof errorTable,
  | 'idempotency_key_required'
  | 'idempotency_key_reused'
  | 'idempotency_answer_gone'
  | 'outcome_unknown'
  | 'server_busy'
>;

/**
 * Looks now and then, holding no connection in between, until there is an answer. Whoever has waited too long hears that
 * the server is busy, and may ask again under the same key.
 */
export async function waitForFirst(look: () => Promise<Answer | null>): Promise<Answer> {
  const until = performance.now() + WAITS_MS;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > until) throw refuseRequest('server_busy');
    await new Promise((resolve) => setTimeout(resolve, LOOKS_EVERY_MS));
  }
}

/** What a key answers that acts no more. */
export function readAnswer(claim: Claim): unknown {
  switch (claim.outcome) {
    case 'answered':
      return claim.answer;
    case 'reused':
      throw refuseRequest('idempotency_key_reused', nameMade(claim.made));
    case 'answer_gone':
      throw refuseRequest('idempotency_answer_gone', nameMade(claim.made));
    default:
      throw refuseRequest('outcome_unknown');
  }
}

/** What the first request made, so that its caller, who changed the request since or comes late, finds it. */
function nameMade(made: string | null): Record<string, string> {
  return made === null ? {} : { made };
}

export function refuseRequest(code: Refusal, values: Record<string, string> = {}) {
  return new ORPCError(code, { ...errorTable[code], data: { values } });
}
