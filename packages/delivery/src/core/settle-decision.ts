import type { SendResult } from '@app/domain/messaging/channel-port';
import { valueFailures } from '@app/domain/delivery/recipient-state';
import { retryDelayMs, retryPairDelayMs } from '@app/domain/messaging/rejection';
import type { DeliveryError, RejectionAction, StopScope } from '@app/domain/messaging/rejection';

/** What becomes of one recipient after a try. */
export type Settlement =
  | { to: 'accepted'; providerMessageId: string; knownAs?: string }
  | { to: 'refused'; code: string; detail: string | null }
  | { to: 'unknown'; code: string; detail: string | null }
  /** Another try after `notBefore` (milliseconds since 1970). */
  | { to: 'waiting'; notBefore: number; code: string | null }
  /** As if it had never been claimed: nothing left this machine. */
  | { to: 'released'; notBefore: number };

/** False when this try proves that nothing is on its way: it was held back here, or is to leave another time. */
export function hasLeft(settlement: Settlement | { to: 'cancelled' }): boolean {
  switch (settlement.to) {
    case 'accepted':
    case 'unknown':
      return true;
    case 'refused':
      return settlement.code !== invalidMessage && !failedHere.has(settlement.code);
    case 'cancelled':
    case 'waiting':
    case 'released':
      return false;
  }
}

const failedHere: ReadonlySet<string> = new Set(valueFailures);

/** What a result asks beyond its own recipient. */
export type SettleEffect =
  | { kind: 'hold_channel'; untilMs: number }
  | { kind: 'channel_trouble' }
  | { kind: 'lower_rate' }
  | { kind: 'stop_channel'; code: string; detail: string; blocks: StopScope }
  | { kind: 'stop_campaign'; code: string; detail: string }
  | { kind: 'opt_out' }
  | { kind: 'hold_recipient'; hours: number };

export type SettleDecision = { settlement: Settlement; effect: SettleEffect | null };

/** The message could not even be written down for the platform. */
const invalidMessage = 'invalid_message';
/** The pair limit lifts within the hour; a person who still cannot get it then is given up. */
const maxPairTries = 7;
const maxRateTries = 200;
const noConnectionRetryMs = 1_000;

type Try = {
  /** Counts this one. */
  attempt: number;
  now: number;
  /** In 0..1. */
  jitter: number;
  /** It left in another language than the campaign was chosen in. */
  isInOther?: boolean;
};

export function decideSettlement(result: SendResult, made: Try): SettleDecision {
  const { now, jitter } = made;
  switch (result.outcome) {
    case 'accepted':
      return settle({
        ...{ to: 'accepted', providerMessageId: result.providerMessageId },
        ...(result.knownAs !== undefined && { knownAs: result.knownAs }),
      });
    case 'unknown':
      return settle(
        { to: 'unknown', code: result.error?.code ?? result.reason, detail: detailOf(result.error) },
        { kind: 'channel_trouble' },
      );
    case 'not_sent':
      if (result.reason === 'invalid_message')
        return settle({ to: 'refused', code: invalidMessage, detail: null });
      if (result.reason === 'cancelled') return settle({ to: 'released', notBefore: now });
      return settle(
        { to: 'released', notBefore: now + Math.round(noConnectionRetryMs * (0.5 + jitter / 2)) },
        { kind: 'channel_trouble' },
      );
    case 'refused':
      return decideRefusal(result.error, result.action, made);
  }
}

function decideRefusal(
  error: DeliveryError,
  action: RejectionAction,
  { attempt, now, jitter, isInOther = false }: Try,
): SettleDecision {
  const { code } = error;
  const detail = detailOf(error);
  const refused: Settlement = { to: 'refused', code, detail };
  const again = (afterMs: number): Settlement => ({ to: 'waiting', notBefore: now + afterMs, code });
  switch (action.kind) {
    case 'fail':
    case 'unreachable':
      return settle(refused);
    case 'opt_out':
      return settle(refused, { kind: 'opt_out' });
    case 'hold_recipient':
      return settle(refused, { kind: 'hold_recipient', hours: action.hours });
    case 'retry': {
      const afterMs = action.afterMs ?? retryDelayMs(attempt, jitter);
      const hold: SettleEffect | null =
        action.pauses === 'channel' ? { kind: 'hold_channel', untilMs: now + afterMs } : null;
      return settle(attempt < action.maxAttempts ? again(afterMs) : refused, hold);
    }
    case 'retry_pair':
      return settle(attempt < maxPairTries ? again(retryPairDelayMs(attempt, action.baseSeconds)) : refused);
    case 'lower_rate':
      return settle(attempt < maxRateTries ? again(retryDelayMs(Math.min(attempt, 5), jitter)) : refused, {
        kind: 'lower_rate',
      });
    case 'stop_channel':
      return settle(again(0), { kind: 'stop_channel', code, detail: detail ?? '', blocks: action.blocks });
    case 'stop_campaign':
      // One language that cannot be sent keeps nobody else from theirs; a retry sends what can be sent by then.
      if (isInOther && !action.ofAccount) return settle(refused);
      return settle(action.recipient === 'requeued' ? again(0) : refused, {
        kind: 'stop_campaign',
        code,
        detail: detail ?? '',
      });
  }
}

function settle(settlement: Settlement, effect: SettleEffect | null = null): SettleDecision {
  return { settlement, effect };
}

function detailOf(error: DeliveryError | undefined): string | null {
  const words = error?.details ?? error?.title;
  return words ? words.slice(0, 500) : null;
}
