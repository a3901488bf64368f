import { isObject, objectOf, parseJson, textOf, type JsonObject } from '../../core/json.ts';
import { authenticate, numberOf } from '../access.ts';
import { GraphError, newTraceId } from '../errors.ts';
import { receiveAutomaticAnswer } from '../automatic-answers.ts';
import { isUnitedStatesNumber, magicEffectOf, type MagicEffect } from '../magic-numbers.ts';
import { readMessage, type OutgoingMessage } from './message-rules.ts';
import { isMediaType, mediaIdsIn } from '../media-content.ts';
import type { Platform } from '../platform.ts';
import type { BusinessNumber, Template } from '../store.ts';
import { checkTemplateSend, templateNotFound } from '../templates/template-send-rules.ts';
import { preferenceValue, templateStatusValue } from '../webhook-payloads.ts';

export interface SendRequest {
  numberId: string;
  authorization: string | undefined;
  queryToken?: string | undefined;
  /** JSON text, or parameters that were read already. */
  body: string | JsonObject;
  /** `X-Sandbox-Force-Error`: any code of the table. */
  forcedError?: string | undefined;
  endpoint: 'messages' | 'marketing_messages';
}

export interface SendReply {
  status: number;
  body: string;
  traceId: string;
  /** What happens to the connection instead of an answer. */
  fault?: 'cut' | 'hang';
}

/** `POST /{phone-number-id}/messages`, without anything of a web framework: the path that benchmarks run on. */
export function sendMessage(platform: Platform, request: SendRequest): SendReply {
  const traceId = newTraceId();
  try {
    const queued = platform.takeQueuedError(request.endpoint);
    if (queued?.kind === 'cut' || queued?.kind === 'hang')
      return { status: 0, body: '', traceId, fault: queued.kind };
    if (queued?.kind === 'garbage') return { status: 502, body: '<html><h1>Bad Gateway</h1>', traceId };
    if (queued?.kind === 'error') throw new GraphError(queued.code);
    if (request.forcedError !== undefined) throw new GraphError(Number(request.forcedError) || 0);
    const app = authenticate(platform, request.authorization, request.queryToken, {
      needs: 'whatsapp_business_messaging',
    });
    const number = numberOf(platform, app, request.numberId);
    const body = typeof request.body === 'string' ? parseJson(request.body) : request.body;
    if (isObject(body) && body['status'] !== undefined) return markRead(platform, number, body, traceId);
    const { answer, isCut } = acceptMessage(platform, number, readMessage(body), request.endpoint);
    const reply: SendReply = { status: 200, body: JSON.stringify(answer), traceId };
    return isCut || queued?.kind === 'accept-then-cut' ? { ...reply, fault: 'cut' } : reply;
  } catch (error) {
    if (!(error instanceof GraphError)) throw error;
    platform.countRejected(error.code);
    const status = error.status(platform.behaviour.throttleStatus);
    return { status, body: JSON.stringify(error.toBody(traceId)), traceId };
  }
}

function acceptMessage(
  platform: Platform,
  number: BusinessNumber,
  message: OutgoingMessage,
  endpoint: SendRequest['endpoint'],
): { answer: JsonObject; isCut: boolean } {
  checkSender(number, message);
  const template = message.type === 'template' ? findTemplate(platform, number, message) : undefined;
  if (endpoint === 'marketing_messages' && template?.category !== 'MARKETING') throw new GraphError(131055);
  checkMedia(platform, number, message);
  const effect = magicEffectOf(message.recipient);
  refuseByMagic(platform, message, effect);
  const phone = platform.people.phoneOf(message.recipient);
  const isInWindow = platform.conversations.isWindowOpen(number.id, phone);
  const isClosed = !template && !isInWindow && platform.behaviour.windowError !== 'off';
  if (isClosed && platform.behaviour.windowError === 'sync') throw new GraphError(131047);
  platform
    .limitsOf(number.id)
    .admit(number, message.recipient, platform.behaviour, isInWindow, performance.now());

  const isBlocked = platform.conversations.isBlocked(number.id, phone);
  const failCode = isBlocked ? BLOCKED_CODE : failureOf(platform, message, template, effect, isClosed);
  const category = categoryOf(template, endpoint);
  const pricing = pricingOf(platform, number, category, isInWindow);
  const kind = `${message.type}|${category}|${pricing}|${template?.name ?? ''}`;
  const now = Date.now();
  const { index, turn } = platform.ledger.append(message.recipient, message.tag, kind, number.id, now);
  if (failCode !== 0) platform.ledger.failLater(index, failCode);
  platform.statuses.plan({
    index,
    turn,
    recipient: message.recipient,
    effect,
    failCode,
    isVoice: message.type === 'audio' && objectOf(message.body['audio'])['voice'] === true,
  });
  if (template) countTemplateSend(platform, template);
  if (failCode === 131050 && effect?.optsOut) announceStop(platform, number, message.recipient);
  if (effect?.answers) receiveAutomaticAnswer(platform, number, message, template, effect.answers, index);
  platform.conversations.entries.add({
    at: now,
    direction: 'out',
    numberId: number.id,
    user: phone,
    index,
    messageId: null,
    message: message.body,
    template: template ? { components: template.components, category: template.category } : null,
  });
  platform.conversations.hideTyping(number.id, phone);
  platform.changed();
  return { answer: answerOf(platform, message, template, effect, index), isCut: effect?.cut === true };
}

function checkSender(number: BusinessNumber, message: OutgoingMessage): void {
  if (!number.isRegistered) throw new GraphError(133010, { details: 'The sender is not registered' });
  if (number.status === 'BANNED' || number.status === 'RESTRICTED') throw new GraphError(131031);
  if (number.status !== 'CONNECTED' && number.status !== 'FLAGGED' && number.status !== 'RATE_LIMITED') {
    throw new GraphError(133010, { details: `The sender is ${number.status}` });
  }
  if (message.recipient === number.digits) throw new GraphError(131021);
  if (number.blocked.has(message.recipient)) throw new GraphError(130403);
}

function findTemplate(platform: Platform, number: BusinessNumber, message: OutgoingMessage): Template {
  const content = objectOf(message.body['template']);
  const name = textOf(content['name']) ?? '';
  const language = textOf(objectOf(content['language'])['code']) ?? '';
  const template = platform.store.findTemplate(number.accountId, name, language);
  if (!template) throw templateNotFound(name, language);
  checkTemplateSend(template, content);
  if (message.isUserId && template.category === 'AUTHENTICATION') throw new GraphError(131062);
  return template;
}

/** An upload belongs to the number that made it. */
function checkMedia(platform: Platform, number: BusinessNumber, message: OutgoingMessage): void {
  for (const id of mediaIdsIn(message.body[message.type], message.type)) {
    if (platform.store.media.get(id)?.numberId !== number.id) {
      throw new GraphError(131009, {
        details: `The media ${id} does not exist or belongs to another number`,
      });
    }
  }
}

function refuseByMagic(platform: Platform, message: OutgoingMessage, effect: MagicEffect | undefined): void {
  if (!effect?.refuse) return;
  const { code, times } = effect.refuse;
  if (times !== undefined) {
    const tries = platform.magicTries.get(message.recipient) ?? 0;
    platform.magicTries.set(message.recipient, tries >= times ? 0 : tries + 1);
    if (tries >= times) return;
  }
  throw new GraphError(code, { details: `Brought out by the recipient ${message.input}` });
}

/** The code with which an accepted message will fail; 0 when it will not. */
function failureOf(
  platform: Platform,
  message: OutgoingMessage,
  template: Template | undefined,
  effect: MagicEffect | undefined,
  isClosed: boolean,
): number {
  const isMarketing = template?.category === 'MARKETING';
  if (effect?.fail !== undefined) {
    const holds =
      effect.only === undefined ||
      (effect.only === 'marketing' && isMarketing) ||
      (effect.only === 'template' && template !== undefined) ||
      (effect.only === 'media' && (isMediaType(message.type) || hasMediaHeader(template)));
    if (holds) return effect.fail;
  }
  if (isClosed) return 131047;
  if (isMarketing && platform.behaviour.usMarketingBlocked && isUnitedStatesNumber(message.recipient))
    return 131049;
  if (isMarketing && platform.conversations.optedOut.has(platform.people.phoneOf(message.recipient)))
    return 131050;
  if (platform.behaviour.failRate > 0 && Math.random() < platform.behaviour.failRate)
    return platform.behaviour.failCode;
  return 0;
}

function hasMediaHeader(template: Template | undefined): boolean {
  const header = template?.components.find((component) => component['type'] === 'HEADER');
  return ['IMAGE', 'VIDEO', 'DOCUMENT', 'GIF'].includes(String(header?.['format']));
}

function categoryOf(template: Template | undefined, endpoint: SendRequest['endpoint']): string {
  if (!template) return 'service';
  return endpoint === 'marketing_messages' ? 'marketing_lite' : template.category.toLowerCase();
}

// From October 2026 the platform charges inside the window too, after 1,000 service messages a number and month.
function pricingOf(
  platform: Platform,
  number: BusinessNumber,
  category: string,
  isInWindow: boolean,
): string {
  if (platform.behaviour.pricingEra === '2025') {
    return category === 'service' || (category === 'utility' && isInWindow)
      ? 'free_customer_service'
      : 'regular';
  }
  if (category !== 'service') return 'regular';
  const used = platform.freeServiceUsed.get(number.id) ?? 0;
  platform.freeServiceUsed.set(number.id, used + 1);
  return used < 1000 ? 'free_customer_service' : 'regular';
}

function countTemplateSend(platform: Platform, template: Template): void {
  template.sends++;
  if (!template.name.includes('_pause') || template.sends !== PAUSE_AFTER) return;
  template.status = 'PAUSED';
  const account = platform.store.accounts.get(template.accountId);
  const info = {
    other_info: { title: 'FIRST_PAUSE', description: 'The template is paused for 3 hours for low quality' },
  };
  if (account) {
    const value = templateStatusValue(template, 'PAUSED', info);
    platform.sendAccountWebhook(
      account,
      'message_template_status_update',
      value,
      `template ${template.name}: PAUSED`,
    );
  }
}

const PAUSE_AFTER = 5;

/** Who blocked the business looks like somebody who cannot be reached. */
const BLOCKED_CODE = 131026;

function announceStop(platform: Platform, number: BusinessNumber, digits: string): void {
  platform.later(1000, () => {
    const value = preferenceValue(platform.people, digits, 'stop');
    platform.sendNumberWebhook(number, 'user_preferences', value, 'user_preferences: stop');
  });
}

function answerOf(
  platform: Platform,
  message: OutgoingMessage,
  template: Template | undefined,
  effect: MagicEffect | undefined,
  index: number,
): JsonObject {
  const { people } = platform;
  if (people.hidesNumber(message.recipient)) people.meet(message.recipient);
  const contact = message.isUserId
    ? { input: message.input, user_id: message.recipient }
    : people.hidesNumber(message.recipient)
      ? { input: message.input, user_id: people.userIdOf(message.recipient) }
      : { input: message.input, wa_id: people.waIdOf(message.recipient) };
  const messageStatus = effect?.held && template ? 'held_for_quality_assessment' : 'accepted';
  const id = platform.messageIds.idOf(index, message.recipient);
  return {
    messaging_product: 'whatsapp',
    contacts: [contact],
    messages: [template ? { id, message_status: messageStatus } : { id }],
  };
}

function markRead(platform: Platform, number: BusinessNumber, body: JsonObject, traceId: string): SendReply {
  const messageId = textOf(body['message_id']);
  if (body['messaging_product'] !== 'whatsapp')
    throw new GraphError(100, { message: '(#100) The parameter messaging_product is required.' });
  if (body['status'] !== 'read') throw new GraphError(100, { details: 'status must be read' });
  if (!messageId) throw new GraphError(131008, { details: 'Required parameter message_id is missing' });
  const typing = body['typing_indicator'];
  if (typing !== undefined && objectOf(typing)['type'] !== 'text')
    throw new GraphError(100, { details: 'typing_indicator.type must be text' });
  const { conversations } = platform;
  const read = conversations.entries.find((entry) => entry.messageId === messageId);
  if (!read || read.numberId !== number.id || read.message['type'] === 'system')
    throw new GraphError(131009, { details: 'message_id does not belong to a message of this number' });
  conversations.markRead(read);
  if (typing !== undefined) conversations.showTyping(number.id, read.user);
  platform.changed();
  return { status: 200, body: '{"success":true}', traceId };
}
