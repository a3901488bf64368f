import { randomInt } from 'node:crypto';
import { Hono, type Context } from 'hono';
import { objectOf, parseJson, textOf, type JsonObject } from '../../core/json.ts';
import { receiveInbound } from '../inbound.ts';
import type { Platform } from '../platform.ts';
import { sampleIds } from '../seed.ts';
import type { BusinessNumber } from '../store.ts';
import { newCallId } from '../ids.ts';
import { contactOf, preferenceValue } from '../webhook-payloads.ts';

/** One act of a customer; a text says what is wrong with the request. */
type Act = (acting: {
  platform: Platform;
  number: BusinessNumber;
  digits: string;
  body: JsonObject;
}) => JsonObject | string;

/** `/_sandbox/whatsapp/users/:number/…`: what a customer does besides writing, and how their phone is set. */
export function customerControlRoutes(platform: Platform): Hono {
  const app = new Hono();
  const refuse = (c: Context, message: string) => c.json({ error: { message } }, 400);

  for (const [name, act] of Object.entries(acts)) {
    app.post(`/users/:number/${name}`, async (c) => {
      const body = objectOf(parseJson(await c.req.text()));
      const number = platform.store.numbers.get(textOf(body['phoneNumberId']) ?? sampleIds.number);
      if (!number) return refuse(c, 'There is no such phone number id');
      const digits = platform.people.waIdOf((c.req.param('number') ?? '').replace(/\D/g, ''));
      const answer = act({ platform, number, digits, body });
      if (typeof answer === 'string') return refuse(c, answer);
      platform.changed();
      return c.json({ success: true, ...answer });
    });
  }

  app.post('/media/:id/expire', async (c) => {
    const media = platform.store.media.get(c.req.param('id'));
    if (!media) return c.json({ error: { message: 'There is no such file' } }, 404);
    const what = objectOf(parseJson(await c.req.text()))['what'] ?? 'file';
    if (what !== 'file' && what !== 'address') return refuse(c, 'what must be file or address');
    media.addressesEndedAt = Date.now();
    if (what === 'file') media.goneAt = Date.now();
    platform.changed();
    return c.json({ success: true });
  });

  return app;
}

const acts: Record<string, Act> = {
  preference({ platform, number, digits, body }) {
    const value = textOf(body['value']);
    if (value !== 'stop' && value !== 'resume' && value !== 'signup')
      return 'value must be stop, resume or signup';
    if (value === 'stop') platform.conversations.optedOut.add(digits);
    else platform.conversations.optedOut.delete(digits);
    platform.conversations.note(number.id, digits, preferenceNotes[value]);
    const payload = preferenceValue(platform.people, digits, value);
    platform.sendNumberWebhook(number, 'user_preferences', payload, `user_preferences: ${value}`);
    return {};
  },
  online({ platform, digits, body }) {
    const isOnline = body['online'] !== false;
    platform.statuses.setOnline(digits, isOnline);
    return { online: isOnline };
  },
  window({ platform, number, digits, body }) {
    if (body['open'] === false) platform.conversations.closeWindow(number.id, digits);
    else platform.conversations.noteInbound(number.id, digits, Date.now());
    return { open: platform.conversations.isWindowOpen(number.id, digits) };
  },
  /** Tells of everything that was delivered in this chat that it was read. */
  read({ platform, number, digits }) {
    let told = 0;
    for (const entry of platform.conversations.entries.newestFirst()) {
      if (entry.numberId !== number.id || entry.user !== digits || entry.index === null) continue;
      if (platform.statuses.seeNow(entry.index, 'read')) told++;
    }
    return { told };
  },
  /** A voice message was heard. */
  played({ platform, number, digits, body }) {
    const index = platform.messageIds.indexOf(textOf(body['messageId']) ?? '');
    const entry = platform.conversations.entries.find((item) => item.index !== null && item.index === index);
    if (!entry || entry.index === null || entry.user !== digits || entry.numberId !== number.id)
      return 'messageId is no message of this chat';
    if (objectOf(entry.message['audio'])['voice'] !== true) return 'only a voice message is played';
    return { told: platform.statuses.seeNow(entry.index, 'played') ? 1 : 0 };
  },
  receipts({ platform, digits, body }) {
    if (typeof body['on'] !== 'boolean') return 'on must be true or false';
    platform.statuses.setTellsReading(digits, body['on']);
    return { on: body['on'] };
  },
  profile({ platform, digits, body }) {
    const name = textOf(body['name']);
    const username = textOf(body['username']);
    const hidesNumber = body['hidesNumber'];
    if (hidesNumber !== undefined && typeof hidesNumber !== 'boolean')
      return 'hidesNumber must be true or false';
    platform.people.change(digits, {
      ...(name === undefined ? {} : { name }),
      ...(username === undefined ? {} : { username }),
      ...(hidesNumber === undefined ? {} : { hidesNumber }),
    });
    return {};
  },
  /** The person goes on under another number; the business hears it from the platform. */
  number({ platform, number, digits, body }) {
    const to = (textOf(body['to']) ?? '').replace(/\D/g, '');
    if (to.length < 5 || to.length > 15 || to === digits) return 'to must be another phone number';
    const system = {
      type: 'user_changed_number',
      body: `User ${platform.people.nameOf(digits) ?? digits} changed from ${digits} to ${to}`,
      wa_id: to,
    };
    receiveInbound(platform, {
      from: digits,
      phoneNumberId: number.id,
      message: { type: 'system', system },
    });
    platform.people.changeNumber(digits, to);
    platform.conversations.moveTo(digits, to);
    return { number: to };
  },
  'user-id'({ platform, number, digits, body }) {
    const before = platform.people.userIdOf(digits);
    const userId = textOf(body['userId']) ?? `${before.slice(0, 2)}.${randomInt(1e12, 9e12)}0`;
    if (!/^[A-Z]{2}\.[A-Za-z0-9]{1,128}$/.test(userId) || userId === before)
      return 'userId must be another user id';
    const system = {
      type: 'user_changed_user_id',
      body: `User ${platform.people.nameOf(digits) ?? ''} changed from ${before} to ${userId}`,
      user_id: userId,
    };
    receiveInbound(platform, {
      from: digits,
      phoneNumberId: number.id,
      message: { type: 'system', system },
    });
    platform.people.change(digits, { userId });
    platform.people.meet(digits);
    return { userId };
  },
  /** The person calls the business: nobody answers unless `seconds` says how long they talked. */
  call({ platform, number, digits, body }) {
    const seconds = body['seconds'] ?? 0;
    if (typeof seconds !== 'number' || !(seconds >= 0)) return 'seconds must be a number';
    const { people, conversations } = platform;
    people.meet(digits);
    const now = Math.floor(Date.now() / 1000);
    const whose = {
      ...(people.hidesNumber(digits) ? {} : { from: digits }),
      ...{ id: newCallId(), from_user_id: people.userIdOf(digits), to: number.digits },
      direction: 'USER_INITIATED',
    };
    const send = (call: JsonObject, step: string) =>
      platform.sendNumberWebhook(
        number,
        'calls',
        { contacts: [contactOf(people, digits)], calls: [{ ...whose, ...call }] },
        `calls: ${step} from ${digits}`,
      );
    send({ event: 'connect', timestamp: String(now), session: { sdp_type: 'offer', sdp: 'v=0' } }, 'connect');
    const times = { start_time: String(now), end_time: String(now + seconds), duration: seconds };
    send(
      {
        ...{ event: 'terminate', timestamp: String(now + seconds) },
        ...(seconds > 0 ? { status: ['COMPLETED'], ...times } : { status: ['FAILED'] }),
      },
      'terminate',
    );
    conversations.noteInbound(number.id, digits, Date.now());
    conversations.note(number.id, digits, seconds > 0 ? 'Call answered' : 'Call not answered');
    return { callId: whose.id };
  },
  /** The person blocks the business, which hears nothing of it: what it sends is not delivered. */
  block({ platform, number, digits, body }) {
    if (typeof body['blocked'] !== 'boolean') return 'blocked must be true or false';
    const { conversations } = platform;
    conversations.block(number.id, digits, body['blocked']);
    const reported = body['reported'] === true ? ' and reported' : '';
    conversations.note(
      number.id,
      digits,
      body['blocked'] ? `Business blocked${reported}` : 'Business unblocked',
    );
    return { blocked: body['blocked'] };
  },
};

const preferenceNotes = {
  stop: 'Marketing stopped',
  resume: 'Marketing resumed',
  signup: 'Signed up for marketing',
};
