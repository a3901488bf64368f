import type { Dispatcher } from 'undici';
import type { CancelSignal, MessageChannel } from '@app/domain/messaging/channel-port';
import { type AccountCalls, createAccountCalls } from './account-calls.ts';
import { createGraphCalls, pathSegment } from './graph-calls.ts';
import { createHttpTransport, type HttpTimeouts } from '../calls/http-transport.ts';
import { createMediaCalls, type MediaCalls } from './media-calls.ts';
import { writeMessageBody } from './message-payload.ts';
import { readSendResult } from './send-result.ts';
import { createTemplateCalls, type TemplateCalls } from './template-calls.ts';

export type WhatsAppCloudOptions = {
  /** With the version, for example `https://graph.facebook.com/v26.0`. */
  baseUrl: string;
  accessToken: string;
  phoneNumberId: string;
  businessAccountId: string;
  appId: string;
  /** Replaces the client's own pool; the caller closes it. */
  dispatcher?: Dispatcher;
  /** Calls in flight at most: rate × latency, rounded up. Default 64. */
  connections?: number;
  /** Calls that may wait for a connection before new ones are turned away. */
  maxWaiting?: number;
  timeouts?: Partial<HttpTimeouts>;
};

/** Sending follows the port and never throws; all other calls throw ProviderRejected or ProviderUnreachable. */
export type WhatsAppCloudClient = MessageChannel &
  TemplateCalls &
  MediaCalls &
  AccountCalls & {
    /** Shows the person that a message was read, with `typing` also that an answer is being written (25 s at most). */
    markRead(messageId: string, options?: { typing?: boolean; signal?: CancelSignal }): Promise<void>;
    close(): Promise<void>;
  };

/** A client for one business number. Throws a TypeError when the base URL is not one. */
export function createWhatsAppCloudClient(options: WhatsAppCloudOptions): WhatsAppCloudClient {
  const base = new URL(options.baseUrl);
  const basePath = base.pathname.replace(/\/+$/, '');
  const transport = createHttpTransport({
    origin: base.origin,
    ...(options.dispatcher !== undefined && { dispatcher: options.dispatcher }),
    ...(options.connections !== undefined && { connections: options.connections }),
    ...(options.maxWaiting !== undefined && { maxWaiting: options.maxWaiting }),
    ...(options.timeouts !== undefined && { timeouts: options.timeouts }),
  });
  const graph = createGraphCalls(transport, basePath, options.accessToken);
  const media = createMediaCalls(graph, {
    phoneNumberId: options.phoneNumberId,
    appId: options.appId,
    accessToken: options.accessToken,
    graphOrigin: base.origin,
  });
  const messagesEdge = `${pathSegment(options.phoneNumberId)}/messages`;
  const sendPath = `${basePath}/${messagesEdge}`;
  const sendHeaders = ['authorization', `Bearer ${options.accessToken}`, 'content-type', 'application/json'];

  return {
    ...createTemplateCalls(graph, options.businessAccountId),
    ...createAccountCalls(graph, options),
    ...media,
    send(message, signal) {
      let body: string;
      try {
        body = writeMessageBody(message);
      } catch {
        return Promise.resolve({ outcome: 'not_sent', reason: 'invalid_message' });
      }
      return transport
        .exchange({ method: 'POST', path: sendPath, headers: sendHeaders, body, signal })
        .then(readSendResult);
    },
    async markRead(messageId, { typing = false, signal } = {}) {
      await graph.call('POST', messagesEdge, {
        signal,
        json: {
          messaging_product: 'whatsapp',
          status: 'read',
          message_id: messageId,
          ...(typing && { typing_indicator: { type: 'text' } }),
        },
      });
    },
    async close() {
      await Promise.all([transport.close(), media.close()]);
    },
  };
}
