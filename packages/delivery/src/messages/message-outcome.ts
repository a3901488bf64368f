import type { SendResult } from '@app/domain/messaging/channel-port';
import { decideSettlement, hasLeft, type SettleEffect, type Settlement } from '../core/settle-decision.ts';
import type { OwnMessage } from './claim-message.ts';

/** What became of one try. */
export type MessageOutcome =
  | { to: 'accepted'; providerMessageId: string; knownAs?: string }
  | { to: 'refused' | 'unknown'; code: string; detail: string | null }
  /** Nothing left, and nobody tries again. */
  | { to: 'not_sent'; code: string }
  /** Nothing left or was taken: another try follows. */
  | { to: 'queued'; afterMs: number; code: string | null };

/** Somebody waits for an answer: what could not leave within this time is told as failed. */
export const LONGEST_TRY_MS = 15 * 60_000;

/** What a result means for a single message. Whoever tests a channel is told what it answers, and tries again by hand. */
export function decideMessage(
  result: SendResult,
  {
    message,
    now,
    jitter,
  }: { message: Pick<OwnMessage, 'attempt' | 'purpose' | 'at'>; now: number; jitter: number },
): { outcome: MessageOutcome; effect: SettleEffect | null } {
  const { settlement, effect } = decideSettlement(result, { attempt: message.attempt, now, jitter });
  return { outcome: outcomeOf(settlement, result, message, now), effect };
}

function outcomeOf(
  settlement: Settlement,
  result: SendResult,
  { purpose, at }: Pick<OwnMessage, 'purpose' | 'at'>,
  now: number,
): MessageOutcome {
  switch (settlement.to) {
    case 'accepted':
      return settlement;
    case 'refused':
      return hasLeft(settlement) ? settlement : { to: 'not_sent', code: settlement.code };
    case 'unknown':
      return settlement;
    case 'waiting':
    case 'released': {
      const mayWait = purpose !== 'test' && settlement.notBefore - at.getTime() <= LONGEST_TRY_MS;
      const code = settlement.to === 'waiting' ? settlement.code : null;
      if (mayWait) return { to: 'queued', afterMs: Math.max(0, settlement.notBefore - now), code };
      if (result.outcome !== 'refused') return { to: 'not_sent', code: code ?? 'not_sent' };
      const { error } = result;
      return { to: 'refused', code: error.code, detail: (error.details ?? error.title).slice(0, 500) };
    }
  }
}
