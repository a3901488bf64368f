import type { MessageChannel } from '@app/domain/messaging/channel-port';

/** Sends messages outside of any campaign. What can fail before a request leaves, such as credentials that cannot be read, fails in `open`. */
export type MessageSender = {
  open(channelId: string): Promise<MessageChannel>;
};
