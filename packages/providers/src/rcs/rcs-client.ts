import type { CancelSignal, MessageChannel, SendResult } from '@app/domain/messaging/channel-port';
import type { PlatformFile } from '@app/domain/channels/open-channel';
import type { TestDevice } from '@app/domain/channels/agent-desk';
import type { PlatformAnswer } from '@app/domain/channels/platform-answer';
import { createCapabilityCache, type PhoneCapability } from './capability-cache.ts';
import { recordOf, textOf, textsOf } from '../calls/json-values.ts';
import { messageIdOf, newRequestId } from './message-id.ts';
import { createRcsCalls, queryOf, readBody, type RcsAnswer, type RcsTimeouts } from './rcs-calls.ts';
import { actionOf, errorOf } from './rcs-errors.ts';
import { readTestDevice, toAnswer } from './rcs-management.ts';
import { writeMessageBody } from './rcs-payload.ts';

/** Where an agent is hosted; each region has a host of its own. */
export const regionHosts = {
  global: 'https://rcsbusinessmessaging.googleapis.com',
  north_america: 'https://us-rcsbusinessmessaging.googleapis.com',
  europe: 'https://europe-rcsbusinessmessaging.googleapis.com',
  asia_pacific: 'https://asia-rcsbusinessmessaging.googleapis.com',
} as const;
export type RcsRegion = keyof typeof regionHosts;

export type TrafficType =
  | 'AUTHENTICATION'
  | 'TRANSACTION'
  | 'PROMOTION'
  | 'SERVICEREQUEST'
  | 'ACKNOWLEDGEMENT';

export type RcsClientOptions = {
  agentId: string;
  /** The JSON file of the service account. */
  keyFile: string;
  region: RcsRegion;
  /** In place of the host of the region: a stand-in. */
  baseUrl?: string;
  connections?: number;
  timeouts?: Partial<RcsTimeouts>;
  now?: () => number;
  /** What a message that the agent was not allowed to send is refused for. */
  explainDenied?: (refused: Refused) => Promise<SendResult>;
};

type Refused = Extract<SendResult, { outcome: 'refused' }>;

export type SendSettings = {
  trafficType: TrafficType;
  /** Not delivered any more afterwards; at most 15 days from now. */
  expiresAt?: Date | undefined;
};

/** Set aside for films and tests: it belongs to nobody, and asking about it costs nothing. */
export const NOBODYS_NUMBER = '+447700900000';
const CHECKS_AT_ONCE = 10;
/** Bulk checks of the platform take so many numbers. */
const batch = { least: 500, most: 10_000 };

/** A client for one agent. `send` follows the port; no call throws for what the platform says. */
export function createRcsClient(options: RcsClientOptions) {
  const { agentId } = options;
  const now = options.now ?? Date.now;
  const calls = createRcsCalls({
    ...{ baseUrl: options.baseUrl ?? regionHosts[options.region], keyFile: options.keyFile },
    connections: options.connections ?? 10,
    ...(options.timeouts && { timeouts: options.timeouts }),
    now,
  });
  const cache = createCapabilityCache(now);
  const pathTo = (phone: string, edge: string) => `phones/${encodeURIComponent(phone)}/${edge}`;
  const ofAgent = queryOf({ agentId });

  return {
    /** What a message without settings is: an answer to something that the person asked for. */
    send(
      { to, tag, origin, content }: Parameters<MessageChannel['send']>[0],
      signal?: CancelSignal,
      { trafficType, expiresAt }: SendSettings = { trafficType: 'SERVICEREQUEST' },
    ): Promise<SendResult> {
      let json: string;
      try {
        json = writeMessageBody(content, trafficType, expiresAt);
      } catch {
        return Promise.resolve({ outcome: 'not_sent', reason: 'invalid_message' });
      }
      const messageId = messageIdOf(tag, origin ?? agentId);
      const query = `messageId=${messageId}&${ofAgent}`;
      const path = pathTo(to, 'agentMessages');
      return calls.callFor({ method: 'POST', path, query, json, signal }, (answer) => {
        const result = readSendResult(answer, messageId);
        if (result.outcome !== 'refused') return result;
        if (result.action.kind === 'unreachable') cache.note(to, null);
        const isDenied = answer.outcome === 'refused' && answer.code === 'PERMISSION_DENIED';
        return isDenied && options.explainDenied ? options.explainDenied(result) : result;
      });
    },

    /** Stops a message that is not delivered yet; `isRevoked` is false where the phone has it. */
    async revoke(phone: string, messageId: string): Promise<PlatformAnswer<{ isRevoked: boolean }>> {
      const path = pathTo(phone, `agentMessages/${messageId}`);
      const answer = await calls.call({ method: 'DELETE', path, query: ofAgent });
      if (answer.outcome === 'refused' && answer.httpStatus === 404)
        return { outcome: 'done', value: { isRevoked: false } };
      return toPlatformAnswer(answer, () => ({ isRevoked: true }));
    },

    /** Shows the person that we are writing, or that we read a message of theirs. */
    async sendEvent(
      phone: string,
      event: { type: 'typing' } | { type: 'read'; messageId: string },
    ): Promise<PlatformAnswer<null>> {
      const body =
        event.type === 'typing'
          ? { eventType: 'IS_TYPING' }
          : { eventType: 'READ', messageId: event.messageId };
      const answer = await calls.call({
        ...{ method: 'POST', path: pathTo(phone, 'agentEvents') },
        ...{ query: queryOf({ eventId: newRequestId(), agentId }), json: JSON.stringify(body) },
      });
      return toPlatformAnswer(answer, () => null);
    },

    /** What a phone can show now; null where it cannot get RCS from this agent. Answers are kept for 7 days, those of null for a day. */
    async checkPhone(phone: string): Promise<PlatformAnswer<PhoneCapability>> {
      const known = cache.find(phone);
      if (known?.features !== undefined) return { outcome: 'done', value: known.features };
      const query = queryOf({ requestId: newRequestId(), agentId });
      const answer = await calls.call({ method: 'GET', path: pathTo(phone, 'capabilities'), query });
      const isUnreachable = answer.outcome === 'refused' && answer.httpStatus === 404;
      const read = isUnreachable
        ? ({ outcome: 'done', value: null } as const)
        : toPlatformAnswer(answer, (body) => textsOf(recordOf(body)['features']));
      if (read.outcome === 'done') cache.note(phone, read.value);
      return read;
    },

    /**
     * Which of these numbers the agent reaches, for the size of an audience. The platform answers for 500 numbers and more; of fewer each is checked by
     * itself. What is known from before is not asked again.
     */
    async checkPhones(phones: readonly string[]): Promise<PlatformAnswer<Set<string>>> {
      const all = [...new Set(phones)];
      const asked = all.filter((phone) => cache.find(phone) === undefined);
      for (let at = 0; at < asked.length; at += batch.most) {
        const users = asked.slice(at, at + batch.most);
        const refusal =
          users.length < batch.least ? await this.checkEach(users) : await this.checkBatch(users);
        if (refusal) return refusal;
      }
      return { outcome: 'done', value: new Set(all.filter((phone) => cache.find(phone)?.isReachable)) };
    },

    async checkEach(
      phones: readonly string[],
    ): Promise<Exclude<PlatformAnswer<null>, { outcome: 'done' }> | null> {
      let refusal: Exclude<PlatformAnswer<null>, { outcome: 'done' }> | null = null;
      const left = [...phones];
      const checkNext = async () => {
        for (let phone = left.pop(); phone !== undefined && !refusal; phone = left.pop()) {
          const answer = await this.checkPhone(phone);
          if (answer.outcome !== 'done') refusal = answer;
        }
      };
      await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, checkNext));
      return refusal;
    },

    async checkBatch(
      users: readonly string[],
    ): Promise<Exclude<PlatformAnswer<null>, { outcome: 'done' }> | null> {
      const json = JSON.stringify({ users, agentId });
      const answer = await calls.call({ method: 'POST', path: 'users:batchGet', query: ofAgent, json });
      const read = toPlatformAnswer(answer, (body) => new Set(textsOf(recordOf(body)['reachableUsers'])));
      if (read.outcome !== 'done') return read;
      for (const user of users) cache.noteReach(user, read.value.has(user));
      return null;
    },

    /** Whether the platform still lets the service account use the agent; asked anew each time. True where nobody knows. */
    async mayUseAgent(): Promise<boolean> {
      const query = queryOf({ requestId: newRequestId(), agentId });
      const path = pathTo(NOBODYS_NUMBER, 'capabilities');
      const answer = await calls.call({ method: 'GET', path, query });
      return !(answer.outcome === 'refused' && answer.code === 'PERMISSION_DENIED');
    },

    /** Asks a phone to become a test device; the person answers on the phone. */
    async inviteTester(phone: string): Promise<PlatformAnswer<TestDevice>> {
      const answer = await calls.call({
        method: 'POST',
        path: pathTo(phone, 'testers'),
        query: ofAgent,
        json: '{}',
      });
      return toAnswer(answer, (body) => readTestDevice(body) ?? { phone, status: 'pending' });
    },

    /** Whether the service account is let in. */
    async signIn(): Promise<PlatformAnswer<null>> {
      return toPlatformAnswer(await calls.signIn(), () => null);
    },

    /** The name under which messages may show the file, for 60 days. */
    async uploadFile({ mimeType, open }: PlatformFile): Promise<PlatformAnswer<string>> {
      const chunks: Uint8Array[] = [];
      for await (const chunk of open(0)) chunks.push(chunk);
      const file = { mimeType, bytes: Buffer.concat(chunks) };
      const answer = await calls.call({ method: 'POST', path: 'files', query: ofAgent, file });
      const read = toPlatformAnswer(answer, (body) => textOf(recordOf(body)['name']));
      if (read.outcome !== 'done') return read;
      return read.value === null ? { outcome: 'unreachable' } : { outcome: 'done', value: read.value };
    },

    close: () => calls.close(),
  };
}

export type RcsClient = ReturnType<typeof createRcsClient>;

/** What an answer proves about a message. An id that was used before was taken before. */
function readSendResult(answer: RcsAnswer, messageId: string): SendResult {
  switch (answer.outcome) {
    case 'ok':
      return { outcome: 'accepted', providerMessageId: messageId };
    case 'not_sent':
      return answer;
    case 'unknown':
      return { outcome: 'unknown', reason: answer.reason };
    case 'refused': {
      const { code, httpStatus } = answer;
      if (code === 'ALREADY_EXISTS') return { outcome: 'accepted', providerMessageId: messageId };
      const error = errorOf(code, httpStatus);
      if (answer.isDoubtful) return { outcome: 'unknown', reason: 'server_error', error };
      return { outcome: 'refused', error, action: actionOf(code) ?? { kind: 'fail' } };
    }
  }
}

function toPlatformAnswer<Value>(answer: RcsAnswer, read: (body: unknown) => Value): PlatformAnswer<Value> {
  if (answer.outcome === 'ok') return { outcome: 'done', value: read(readBody(answer)) };
  if (answer.outcome !== 'refused' || answer.isDoubtful || answer.httpStatus === 429)
    return { outcome: 'unreachable' };
  const { code } = errorOf(answer.code);
  return { outcome: 'refused', reason: answer.code, code };
}
