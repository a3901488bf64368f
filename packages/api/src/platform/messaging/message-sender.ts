import type { OutboundMessage, SendResult } from '@app/domain/messaging/channel-port';

/** Sends one message now, outside of any campaign. Like the channel itself it never throws for what the platform says. */
export type MessageSender = {
  send(channelId: string, message: OutboundMessage): Promise<SendResult>;
};
