import { Hono } from 'hono';
import { objectOf, objectsOf, textOf, type JsonObject } from '../../core/json.ts';
import { verifyCallback } from '../../core/webhook-sender.ts';
import { accountOf, numberOf } from '../access.ts';
import { GraphError } from '../errors.ts';
import { pageOf, selectFields } from '../node-answers.ts';
import type { Platform } from '../platform.ts';
import { addNumber } from '../seed.ts';
import type { BusinessNumber } from '../store.ts';
import { readParameters, type GraphEnv } from './graph-env.ts';

const HOURS_72_MS = 72 * 3_600_000;
const SANDBOX_CODE = '123456';

export function phoneNumberRoutes(platform: Platform): Hono<GraphEnv> {
  const app = new Hono<GraphEnv>();

  app.get('/:id/phone_numbers', (c) => {
    const account = accountOf(platform, c.get('graphApp'), c.req.param('id'));
    const query = c.req.query();
    const items = [...platform.store.numbers.values()]
      .filter((number) => number.accountId === account.id)
      .map((number) => selectFields(showNumber(platform, number), query['fields'], usualNumberFields));
    return c.json(
      pageOf(items, {
        limit: query['limit'],
        after: query['after'],
        before: query['before'],
        url: c.req.url,
      }),
    );
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
    await readParameters(c);
    if (number.isVerified) throw new GraphError(136024);
    return c.json({ success: true });
  });

  app.post('/:id/verify_code', async (c) => {
    const number = numberOf(platform, c.get('graphApp'), c.req.param('id'));
    const body = await readParameters(c);
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
    return c.json({ ...number.settings, storage_configuration: { status: 'DEFAULT' } });
  });
  app.post('/:id/settings', async (c) => {
    const number = numberOf(platform, c.get('graphApp'), c.req.param('id'));
    Object.assign(number.settings, await readParameters(c));
    return c.json({ success: true });
  });

  app.get('/:id/block_users', (c) => {
    const number = numberOf(platform, c.get('graphApp'), c.req.param('id'));
    return c.json({
      data: [...number.blocked].map((digits) => ({ messaging_product: 'whatsapp', wa_id: digits })),
    });
  });
  app.post('/:id/block_users', async (c) => {
    const number = numberOf(platform, c.get('graphApp'), c.req.param('id'));
    const users = blockedUsers(await readParameters(c));
    for (const { wa_id } of users) number.blocked.add(wa_id);
    return c.json({ messaging_product: 'whatsapp', block_users: { added_users: users } });
  });
  app.delete('/:id/block_users', async (c) => {
    const number = numberOf(platform, c.get('graphApp'), c.req.param('id'));
    const users = blockedUsers(await readParameters(c));
    for (const { wa_id } of users) number.blocked.delete(wa_id);
    return c.json({ messaging_product: 'whatsapp', block_users: { removed_users: users } });
  });

  return app;
}

export const usualNumberFields = [
  'verified_name',
  'code_verification_status',
  'display_phone_number',
  'quality_rating',
  'platform_type',
  'throughput',
  'webhook_configuration',
];

export function showNumber(platform: Platform, number: BusinessNumber): JsonObject {
  const account = platform.store.accounts.get(number.accountId);
  const appUrl = account && platform.store.targetFor({ ...account, override: null }, 'messages')?.url;
  return {
    id: number.id,
    display_phone_number: number.displayPhoneNumber,
    verified_name: number.verifiedName,
    quality_rating: number.qualityRating,
    quality_score: { score: number.qualityRating },
    status: number.status,
    code_verification_status: number.isVerified ? 'VERIFIED' : 'NOT_VERIFIED',
    name_status: 'APPROVED',
    platform_type: number.isRegistered ? 'CLOUD_API' : 'NOT_APPLICABLE',
    throughput: { level: number.throughputLevel },
    whatsapp_business_manager_messaging_limit: number.tier,
    messaging_limit_tier: number.tier,
    account_mode: 'LIVE',
    is_official_business_account: false,
    is_pin_enabled: number.pin !== null,
    country_dial_code: number.digits.slice(0, 2),
    health_status: {
      can_send_message: number.status === 'CONNECTED' ? 'AVAILABLE' : 'BLOCKED',
      entities: [
        {
          entity_type: 'PHONE_NUMBER',
          id: number.id,
          can_send_message: number.status === 'CONNECTED' ? 'AVAILABLE' : 'BLOCKED',
        },
      ],
    },
    webhook_configuration: {
      ...(appUrl ? { application: appUrl } : {}),
      ...(account?.override ? { whatsapp_business_account: account.override.url } : {}),
      ...(number.override ? { phone_number: number.override.url } : {}),
    },
  };
}

/** `POST /{phone-number-id}`: PIN, display name or the callback of this number alone. */
export async function changeNumber(number: BusinessNumber, body: JsonObject): Promise<JsonObject> {
  const pin = textOf(body['pin']);
  if (pin !== undefined) {
    if (!/^\d{6}$/.test(pin))
      throw new GraphError(100, { message: '(#100) The parameter pin must have 6 digits.' });
    number.pin = pin;
  }
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

function blockedUsers(body: JsonObject): { input: string; wa_id: string }[] {
  const users = objectsOf(body['block_users']).map((entry) => textOf(entry['user']) ?? '');
  if (users.length === 0 || users.includes(''))
    throw new GraphError(100, { details: 'block_users needs users' });
  return users.map((input) => ({ input, wa_id: input.replace(/\D/g, '') }));
}
