import { Hono } from 'hono';
import { isObject, objectOf, objectsOf, textOf, type JsonObject } from '../../core/json.ts';
import { verifyCallback } from '../../core/webhook-sender.ts';
import { accountOf, numberOf } from '../access.ts';
import { GraphError } from '../errors.ts';
import { isUserId } from '../messages/message-rules.ts';
import { showEdge } from '../nodes/node-type.ts';
import { blockedUsersOf, numberNode, settingsOf } from '../nodes/number-node.ts';
import { pageOf } from '../node-answers.ts';
import type { Platform } from '../platform.ts';
import { addNumber } from '../seed.ts';
import type { BusinessNumber } from '../store.ts';
import { nodeContext, type GraphEnv } from './graph-env.ts';
import { readParameters, requireProduct, required } from './parameters.ts';

const HOURS_72_MS = 72 * 3_600_000;
const SANDBOX_CODE = '123456';
const MOST_BLOCKED = 64_000;
const settingNames = ['calling', 'user_identity_change', 'payload_encryption', 'storage_configuration'];

export function phoneNumberRoutes(platform: Platform): Hono<GraphEnv> {
  const app = new Hono<GraphEnv>();

  app.get('/:id/phone_numbers', (c) => {
    const account = accountOf(platform, c.get('graphApp'), c.req.param('id'));
    const numbers = platform.behaviour.numbersElsewhere ? [] : platform.store.numbersOf(account.id);
    return c.json(showEdge(numberNode, numbers, c.req.query(), nodeContext(platform, c)));
  });

  app.post('/:id/phone_numbers', async (c) => {
    const account = accountOf(platform, c.get('graphApp'), c.req.param('id'));
    const body = await readParameters(c);
    const code = textOf(body['cc']) ?? textOf(body['country_code']);
    const phone = textOf(body['phone_number']);
    if (!code || !phone)
      throw new GraphError(100, { message: '(#100) The parameters cc and phone_number are required.' });
    const number = addNumber(platform.store, account, platform.store.ids.next('number'), {
      displayPhoneNumber: `+${code.replace(/\D/g, '')} ${phone}`,
      verifiedName: body['verified_name'],
    });
    Object.assign(number, { isRegistered: false, isVerified: false, status: 'UNVERIFIED' });
    return c.json({ id: number.id });
  });

  app.post('/:id/request_code', async (c) => {
    const number = numberOf(platform, c.get('graphApp'), c.req.param('id'));
    if (number.isVerified) throw new GraphError(136024);
    const body = await readParameters(c);
    required(body, 'code_method', 'language');
    if (!/^(SMS|VOICE)$/i.test(textOf(body['code_method']) ?? ''))
      throw new GraphError(100, { message: '(#100) Param code_method must be one of {SMS, VOICE}' });
    return c.json({ success: true });
  });

  app.post('/:id/verify_code', async (c) => {
    const number = numberOf(platform, c.get('graphApp'), c.req.param('id'));
    const body = await readParameters(c);
    required(body, 'code');
    if (textOf(body['code']) !== SANDBOX_CODE) throw new GraphError(136025);
    number.isVerified = true;
    return c.json({ success: true });
  });

  app.post('/:id/register', async (c) => {
    const number = numberOf(platform, c.get('graphApp'), c.req.param('id'));
    const body = await readParameters(c);
    countRegistration(number);
    const pin = textOf(body['pin']) ?? '';
    if (!/^\d{6}$/.test(pin))
      throw new GraphError(100, { message: '(#100) The parameter pin must have 6 digits.' });
    if (!number.isVerified) throw new GraphError(133006);
    if (number.pin !== null && number.pin !== pin) throw new GraphError(133005);
    Object.assign(number, { pin, isRegistered: true, status: 'CONNECTED' });
    platform.changed();
    return c.json({ success: true });
  });

  app.post('/:id/deregister', (c) => {
    const number = numberOf(platform, c.get('graphApp'), c.req.param('id'));
    countRegistration(number);
    if (!number.isRegistered) throw new GraphError(133010);
    Object.assign(number, { isRegistered: false, status: 'DISCONNECTED' });
    platform.changed();
    return c.json({ success: true });
  });

  app.get('/:id/settings', (c) => {
    const number = numberOf(platform, c.get('graphApp'), c.req.param('id'));
    return c.json(settingsOf(number));
  });
  app.post('/:id/settings', async (c) => {
    const number = numberOf(platform, c.get('graphApp'), c.req.param('id'));
    const body = await readParameters(c);
    const changes = settingNames.filter((name) => body[name] !== undefined);
    if (changes.length === 0)
      throw new GraphError(100, { message: '(#100) Give at least one setting to change' });
    for (const name of changes) {
      if (!isObject(body[name]))
        throw new GraphError(100, { message: `(#100) Param ${name} must be an object` });
      number.settings[name] = body[name];
    }
    platform.changed();
    return c.json({ success: true });
  });

  app.get('/:id/block_users', (c) => {
    const number = numberOf(platform, c.get('graphApp'), c.req.param('id'));
    return c.json(pageOf(blockedUsersOf(number), { ...c.req.query(), url: c.req.url }));
  });
  app.post('/:id/block_users', async (c) => {
    const number = numberOf(platform, c.get('graphApp'), c.req.param('id'));
    const users = blockedUsers(await readParameters(c));
    if (number.blocked.size + users.length > MOST_BLOCKED) throw new GraphError(139101);
    for (const user of users) number.blocked.add(user.wa_id ?? user.user_id ?? '');
    platform.changed();
    return c.json({ messaging_product: 'whatsapp', block_users: { added_users: users } });
  });
  app.delete('/:id/block_users', async (c) => {
    const number = numberOf(platform, c.get('graphApp'), c.req.param('id'));
    const users = blockedUsers(await readParameters(c));
    for (const user of users) number.blocked.delete(user.wa_id ?? user.user_id ?? '');
    platform.changed();
    return c.json({ messaging_product: 'whatsapp', block_users: { removed_users: users } });
  });

  return app;
}

/** `POST /{phone-number-id}`: PIN, display name or the callback of this number alone. */
export async function changeNumber(number: BusinessNumber, body: JsonObject): Promise<JsonObject> {
  const pin = textOf(body['pin']);
  if (pin !== undefined) {
    if (!/^\d{6}$/.test(pin))
      throw new GraphError(100, { message: '(#100) The parameter pin must have 6 digits.' });
    number.pin = pin;
  }
  const name = textOf(body['new_display_name']);
  if (name !== undefined) {
    if (name.length < 3 || name.length > 512)
      throw new GraphError(100, { message: '(#100) The display name is too short or too long' });
    number.newDisplayName = name;
  }
  const known = [
    'pin',
    'new_display_name',
    'webhook_configuration',
    'search_visibility',
    'connection_status',
  ];
  if (!known.some((parameter) => body[parameter] !== undefined))
    throw new GraphError(100, { message: '(#100) Give at least one parameter to change' });
  const configuration = body['webhook_configuration'];
  if (configuration !== undefined) number.override = await readOverride(objectOf(configuration));
  return { success: true };
}

/** An empty address removes the override; a new one must pass the handshake. */
export async function readOverride(values: JsonObject): Promise<{ url: string; verifyToken: string } | null> {
  const url = textOf(values['override_callback_uri']) ?? '';
  if (url === '') return null;
  const verifyToken = textOf(values['verify_token']) ?? '';
  await requireHandshake(url, verifyToken);
  return { url, verifyToken };
}

export async function requireHandshake(url: string, verifyToken: string): Promise<void> {
  const handshake = await verifyCallback(url, verifyToken, String(Math.floor(Math.random() * 2 ** 31)));
  if (handshake.ok) return;
  throw new GraphError(100, {
    subcode: 2200,
    message: `(#2200) Callback verification failed: ${handshake.error ?? ''} (HTTP ${handshake.status ?? 'none'})`,
  });
}

function countRegistration(number: BusinessNumber): void {
  const now = Date.now();
  number.registrations = number.registrations.filter((at) => now - at < HOURS_72_MS);
  if (number.registrations.length >= 10) throw new GraphError(133016);
  number.registrations.push(now);
}

interface BlockedUser {
  input: string;
  wa_id?: string;
  user_id?: string;
}

function blockedUsers(body: JsonObject): BlockedUser[] {
  requireProduct(body);
  const users = objectsOf(body['block_users']);
  if (users.length === 0)
    throw new GraphError(100, { message: '(#100) The parameter block_users is required.' });
  return users.map((entry) => {
    const phone = textOf(entry['user']) ?? '';
    const userId = textOf(entry['user_id']) ?? '';
    if (/^\+?[\d\s\-().]{5,24}$/.test(phone)) return { input: phone, wa_id: phone.replace(/\D/g, '') };
    const givenId = userId || phone;
    if (isUserId(givenId)) return { input: givenId, user_id: givenId };
    throw new GraphError(139100, {
      details: `${phone || userId || '(none)'} is not a user that can be blocked`,
    });
  });
}
