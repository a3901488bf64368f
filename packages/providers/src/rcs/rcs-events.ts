import { codeOf } from '@app/domain/channel-kinds/kind-codes';
import { launchStates } from '@app/domain/channels/agent-desk';
import type { ChannelPerson, InboundContent, InboundEvent } from '@app/domain/messaging/inbound-event';
import type { MediaKind } from '@app/domain/messaging/message-content';
import { numberOf, recordOf, textOf, type JsonRecord } from '../calls/json-values.ts';
import { stateOfLaunch } from './agent-state.ts';
import { tagOf } from './message-id.ts';
import { attributesOf, hashOf, payloadOf, plainAgentId } from './rcs-webhooks.ts';

/**
 * The events in one delivery of the platform; it holds one. Never throws: what is not understood becomes `unknown`. That a person is typing is
 * of use for seconds and is not kept.
 */
export function parseDelivery(body: Uint8Array): InboundEvent[] {
  const payload = payloadOf(body);
  const value = recordOf(payload);
  const address = addressOf(value, body);
  const base = {
    dedupKey: keyOf(address, textOf(value['eventId']) ?? textOf(value['messageId']) ?? hashOf(body)),
    occurredAt: timeOf(value['sendTime']),
    account: '',
    address,
    raw: payload ?? null,
  };
  if (textOf(attributesOf(body)['type']) === 'agent_launch_event') return [launchEvent(base, value)];
  const eventType = textOf(value['eventType']);
  if (eventType === 'IS_TYPING') return [];
  const event = eventType === null ? readMessage(base, value) : readEvent(base, eventType, value);
  return [
    event ?? {
      ...{ ...base, type: 'unknown', field: eventType ?? 'message' },
      reason: eventType === null ? 'unexpected_shape' : 'unknown_field',
    },
  ];
}

type Base = Pick<InboundEvent, 'dedupKey' | 'occurredAt' | 'account' | 'address' | 'raw'>;

function readMessage(base: Base, value: JsonRecord): InboundEvent | null {
  const person = personOf(value);
  const id = textOf(value['messageId']) ?? textOf(value['eventId']);
  const content = contentOf(value);
  if (person === null || id === null || content === null) return null;
  return {
    ...{
      ...base,
      dedupKey: keyOf(base.address, id),
      type: 'message_received',
      origin: 'live',
      direction: 'in',
    },
    ...{ messageId: id, person, content },
    ...{ context: null, referral: null, groupId: null, errors: [], historyStatus: null },
  };
}

function contentOf(value: JsonRecord): InboundContent | null {
  const text = textOf(value['text']);
  if (text !== null) return { type: 'text', body: text };
  if (value['suggestionResponse'] !== undefined) {
    const tapped = recordOf(value['suggestionResponse']);
    const payload = textOf(tapped['postbackData']);
    // An action that was tapped may come without its words.
    const title = textOf(tapped['text']) ?? payload;
    return payload === null || title === null
      ? null
      : { type: 'button_reply', source: 'interactive', payload, title };
  }
  if (value['location'] !== undefined) {
    const { latitude, longitude } = recordOf(value['location']);
    // The platform leaves out what is zero.
    const [lat, long] = [numberOf(latitude ?? 0), numberOf(longitude ?? 0)];
    if (lat === null || long === null) return null;
    return { type: 'location', latitude: lat, longitude: long, name: null, address: null, url: null };
  }
  return value['userFile'] === undefined ? null : fileOf(recordOf(recordOf(value['userFile'])['payload']));
}

/** The address of a file opens it, so it is its id. */
function fileOf({ mimeType, fileName, fileUri }: JsonRecord): InboundContent | null {
  const uri = textOf(fileUri);
  if (uri === null) return null;
  const type = textOf(mimeType);
  return {
    ...{ type: 'media', kind: kindOf(type), mediaId: uri, mimeType: type, filename: textOf(fileName) },
    ...{ sha256: null, caption: null, voice: false, animated: type === 'image/gif', url: uri },
  };
}

function kindOf(mimeType: string | null): MediaKind {
  const group = mimeType?.split('/')[0];
  return group === 'image' || group === 'video' || group === 'audio' ? group : 'document';
}

const statuses: Readonly<Record<string, 'delivered' | 'read' | 'failed'>> = {
  DELIVERED: 'delivered',
  READ: 'read',
  TTL_EXPIRATION_REVOKED: 'failed',
};
const preferences: Readonly<Record<string, 'stop' | 'resume'>> = { UNSUBSCRIBE: 'stop', SUBSCRIBE: 'resume' };

function readEvent(base: Base, eventType: string, value: JsonRecord): InboundEvent | null {
  const person = personOf(value);
  if (person === null) return null;
  if (Object.hasOwn(preferences, eventType))
    return {
      ...{ ...base, type: 'preference_changed', preference: preferences[eventType]! }, // one of its keys
      ...{ category: null, signupId: null, person },
    };
  const messageId = textOf(value['messageId']);
  // Whether it arrived stays open: the message is neither delivered nor failed, and nobody sends it again.
  if (eventType === 'TTL_EXPIRATION_REVOKE_FAILED')
    return { ...base, type: 'unknown', field: eventType, reason: 'unknown_field' };
  if (messageId === null || !Object.hasOwn(statuses, eventType)) return null;
  const status = statuses[eventType]!; // one of its keys
  const isFailed = status === 'failed';
  return {
    ...{ ...base, type: 'message_status', messageId, status, tag: tagOf(messageId), recipient: person },
    // Without an event id, so that both reports of one message stay apart.
    dedupKey:
      textOf(value['eventId']) === null ? keyOf(base.address, `${messageId}:${eventType}`) : base.dedupKey,
    ...{ groupId: null, pricing: null },
    error: isFailed ? { code: codeOf({ kind: 'rcs', code: 'expired' }), title: eventType } : null,
    action: isFailed ? { kind: 'fail' } : null,
  };
}

function launchEvent(base: Base, value: JsonRecord): InboundEvent {
  const state = textOf(value['newLaunchState']) ?? 'UNSPECIFIED';
  const isLost = ['REJECTED', 'SUSPENDED', 'UNLAUNCHED'].includes(state);
  const agentState = stateOfLaunch(launchStates.find((known) => known === state.toLowerCase()));
  return {
    ...(agentState && { agentState }),
    ...{ ...base, type: 'number_event', field: 'agent_launch', event: state },
    displayName: textOf(value['botDisplayName']),
    severity: isLost ? 'critical' : 'information',
    description: textOf(value['comment']),
  };
}

/** The platform names the phone otherwise in events of its own. */
function personOf(value: JsonRecord): ChannelPerson | null {
  const phone = textOf(value['senderPhoneNumber']) ?? textOf(value['phoneNumber']);
  return phone === null ? null : { phone, userId: null, parentUserId: null, username: null, name: null };
}

/** An id is of its agent: no other agent can use it up. */
function keyOf(address: string | null, id: string): string {
  return `rcs:${address ?? ''}:${id}`;
}

function addressOf(value: JsonRecord, body: Uint8Array): string | null {
  const agentId = textOf(value['agentId']) ?? textOf(attributesOf(body)['business_id']);
  return agentId === null ? null : plainAgentId(agentId);
}

function timeOf(value: unknown): number {
  const at = Date.parse(textOf(value) ?? '');
  return Number.isNaN(at) ? 0 : at;
}
