import { isObject } from '../core/json.ts';

/** Switches of the stand-in. Rates are between 0 and 1. */
export interface RcsBehaviour {
  latencyMs: number;
  statusDelayMs: number;
  deliveredRate: number;
  readRate: number;
  /** How many calls of a phone with a quota, or with a server that is down, are refused. */
  refusals: number;
  /** What is told when a time to live is over. */
  expiry: 'revoked' | 'revoke_failed' | 'none';
  /** A revocation of what the phone has already answers 200 all the same. */
  alwaysRevokes: boolean;
  /** A message whose id was used before answers 409 in place of the first answer. */
  conflicts: boolean;
  duplicateRate: number;
  reorder: number;
  signature: 'valid' | 'wrong' | 'missing';
  retryBaseMs: number;
  seed: number;
}

export const defaultRcsBehaviour: RcsBehaviour = {
  ...{ latencyMs: 5, statusDelayMs: 300, deliveredRate: 0.9, readRate: 0.7, refusals: 2 },
  ...{ expiry: 'revoked', alwaysRevokes: false, conflicts: false },
  ...{ duplicateRate: 0, reorder: 0, signature: 'valid', retryBaseMs: 1_000, seed: 1 },
};

const words: Partial<Record<keyof RcsBehaviour, readonly string[]>> = {
  expiry: ['revoked', 'revoke_failed', 'none'],
  signature: ['valid', 'wrong', 'missing'],
};

/** The changed behaviour, or what is wrong with the changes. */
export function changeRcsBehaviour(now: RcsBehaviour, changes: unknown): RcsBehaviour | { problem: string } {
  if (!isObject(changes)) return { problem: 'Send an object of switches.' };
  for (const [name, value] of Object.entries(changes)) {
    if (!Object.hasOwn(now, name)) return { problem: `There is no switch "${name}".` };
    const old = now[name as keyof RcsBehaviour]; // one of its keys
    const allowed = words[name as keyof RcsBehaviour]; // one of its keys
    const isRight = allowed
      ? allowed.includes(String(value))
      : typeof value === typeof old && (typeof value !== 'number' || (value >= 0 && Number.isFinite(value)));
    if (!isRight || (/Rate$|^reorder$/.test(name) && Number(value) > 1))
      return { problem: `"${name}" cannot be ${JSON.stringify(value)}.` };
  }
  return { ...now, ...changes };
}
