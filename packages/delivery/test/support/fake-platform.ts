import type { MessageChannel, OutboundMessage, SendResult } from '@app/domain/messaging/channel-port';

export type LedgerEntry = { to: string; tag: string; at: number; body: unknown; messageId: string };

export type FakePlatform = MessageChannel & {
  ledger: LedgerEntry[];
  /** Decides how one call ends; undefined accepts. */
  answer: (
    message: OutboundMessage,
    call: number,
  ) => SendResult | Promise<SendResult | undefined> | undefined;
  latencyMs: number;
};

/** A platform behind the port: it keeps a ledger of what it accepted, to be compared with what the product believes. */
export function createFakePlatform(): FakePlatform {
  let calls = 0;
  const platform: FakePlatform = {
    ledger: [],
    answer: () => undefined,
    latencyMs: 0,
    async send(message, signal) {
      calls += 1;
      if (signal?.aborted) return { outcome: 'not_sent', reason: 'cancelled' };
      if (platform.latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, platform.latencyMs));
      const answer = await platform.answer(message, calls);
      if (answer && answer.outcome !== 'accepted') return answer;
      return { outcome: 'accepted', providerMessageId: accept(platform, message) };
    },
  };
  return platform;
}

/** Enters a message into the ledger, also when the caller never learns of it. */
export function accept(platform: FakePlatform, message: OutboundMessage): string {
  const messageId = `wamid.${platform.ledger.length.toString(36).padStart(52, 'A')}`;
  platform.ledger.push({
    to: message.to,
    tag: message.tag,
    at: performance.now(),
    body: message.content,
    messageId,
  });
  return messageId;
}
