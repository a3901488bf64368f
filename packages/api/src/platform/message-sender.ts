import type { OpenChannel } from '@app/domain/channels/open-channel';

/**
 * The clients of stored channels: what sends messages outside of any campaign, and what else a kind can do (files, showing that something was
 * read). What can fail before a request leaves, such as credentials that cannot be read, fails in `open`. Whoever opens does not close.
 */
export type MessageSender = {
  open(channelId: string): Promise<Omit<OpenChannel, 'close'>>;
};
