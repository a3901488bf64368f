import { Hono } from 'hono';
import { listOf, objectsOf, textOf, type JsonObject } from '../../core/json.ts';
import { numberOf } from '../access.ts';
import { GraphError } from '../errors.ts';
import { commerceOf, encryptionOf } from '../nodes/number-node.ts';
import type { Platform } from '../platform.ts';
import type { BusinessNumber } from '../store.ts';
import type { GraphEnv } from './graph-env.ts';
import { flagOf, readParameters, requireProduct, required } from './parameters.ts';

/** What a number can be told and asked besides sending: automation, shop, keys, compliance, name, calls, groups. */
export function numberEdgeRoutes(platform: Platform): Hono<GraphEnv> {
  const app = new Hono<GraphEnv>();
  const read = (path: string, show: (number: BusinessNumber, query: Record<string, string>) => JsonObject) =>
    app.get(`/:id/${path}`, (c) =>
      c.json(show(numberOf(platform, c.get('graphApp'), c.req.param('id')), c.req.query())),
    );
  const write = (path: string, change: (number: BusinessNumber, body: JsonObject) => JsonObject | void) =>
    app.post(`/:id/${path}`, async (c) => {
      const number = numberOf(platform, c.get('graphApp'), c.req.param('id'));
      const answer = change(number, await readParameters(c));
      platform.changed();
      return c.json(answer ?? { success: true });
    });

  read('conversational_automation', (number) => ({ ...number.automation, id: number.id }));
  write('conversational_automation', (number, body) => {
    number.automation = readAutomation(body, number.automation ?? {});
  });

  read('whatsapp_commerce_settings', (number) => ({ data: [commerceOf(number)] }));
  write('whatsapp_commerce_settings', (number, body) => {
    const names = ['is_cart_enabled', 'is_catalog_visible'];
    if (!names.some((name) => body[name] !== undefined))
      throw new GraphError(100, { message: '(#100) Give is_cart_enabled or is_catalog_visible' });
    const before = commerceOf(number);
    const [isCartEnabled, isCatalogVisible] = names.map((name) => flagOf(body[name] ?? before[name]));
    number.commerce = { isCartEnabled: isCartEnabled === true, isCatalogVisible: isCatalogVisible === true };
  });

  read('whatsapp_business_encryption', (number) => ({ data: [encryptionOf(number)] }));
  write('whatsapp_business_encryption', (number, body) => {
    required(body, 'business_public_key');
    const publicKey = textOf(body['business_public_key'])?.trim() ?? '';
    if (!/^-----BEGIN PUBLIC KEY-----[\s\S]+-----END PUBLIC KEY-----$/.test(publicKey))
      throw new GraphError(100, {
        message: '(#100) Param business_public_key must be a public key in PEM form',
      });
    number.publicKey = publicKey;
  });

  read('business_compliance_info', (number) => ({ data: number.compliance ? [number.compliance] : [] }));
  write('business_compliance_info', (number, body) => {
    requireProduct(body);
    required(body, 'entity_name', 'entity_type');
    const names =
      'entity_name entity_type entity_type_custom is_registered grievance_officer_details customer_care_details';
    number.compliance = { messaging_product: 'whatsapp' };
    for (const name of names.split(' ')) if (body[name] !== undefined) number.compliance[name] = body[name];
  });

  read('official_business_account', (number) => ({ oba_status: 'NOT_STARTED', id: number.id }));

  read('username', (number) => (number.username ? { username: number.username, status: 'approved' } : {}));
  write('username', (number, body) => {
    required(body, 'username');
    number.username = readUsername(platform, number, body);
    return { status: 'approved' };
  });
  app.delete('/:id/username', (c) => {
    delete numberOf(platform, c.get('graphApp'), c.req.param('id')).username;
    return c.json({ success: true });
  });
  read('username_suggestions', (number) => ({
    data: [{ username_suggestions: [number.verifiedName.toLowerCase().replace(/[^a-z0-9._]+/g, '.')] }],
  }));
  app.delete('/:id/contact_book', async (c) => {
    numberOf(platform, c.get('graphApp'), c.req.param('id'));
    const parameters = await readParameters(c);
    requireProduct(parameters);
    required(parameters, 'bsuid');
    return c.json({ success: true });
  });

  write('calls', () => {
    throw new GraphError(138000, { details: 'Calling is not enabled on this business phone number' });
  });
  read('call_permissions', (_number, query) => {
    if (!query['user_wa_id'] && !query['recipient'])
      throw new GraphError(100, { message: '(#100) The parameter user_wa_id is required.' });
    return {
      messaging_product: 'whatsapp',
      permission: { status: 'no_permission' },
      actions: ['send_call_permission_request', 'start_call'].map((name) => ({
        action_name: name,
        can_perform_action: false,
      })),
    };
  });
  read('groups', () => ({ data: { groups: [] } }));
  write('groups', () => {
    throw new GraphError(131215);
  });
  return app;
}

/** Every part that is given replaces the one of before. */
function readAutomation(body: JsonObject, before: JsonObject): JsonObject {
  const names = ['enable_welcome_message', 'prompts', 'commands'];
  if (!names.some((name) => body[name] !== undefined))
    throw new GraphError(100, { message: '(#100) Give enable_welcome_message, prompts or commands' });
  const after = { ...before };
  if (body['enable_welcome_message'] !== undefined)
    after['enable_welcome_message'] = flagOf(body['enable_welcome_message']);
  if (body['prompts'] !== undefined) {
    const prompts = listOf(body['prompts']);
    if (prompts.length > 4) tooMany('prompts', 4);
    for (const prompt of prompts) within('prompts', prompt, 80);
    after['prompts'] = prompts;
  }
  if (body['commands'] !== undefined) {
    const commands = objectsOf(body['commands']);
    if (commands.length > 30) tooMany('commands', 30);
    for (const command of commands) {
      within('command_name', command['command_name'], 32);
      within('command_description', command['command_description'], 256);
    }
    after['commands'] = commands;
  }
  return after;
}

function tooMany(name: string, most: number): never {
  throw new GraphError(100, { message: `(#100) Param ${name} must have at most ${most} items` });
}

function within(name: string, value: unknown, limit: number): void {
  const text = textOf(value) ?? '';
  if (text === '' || text.length > limit)
    throw new GraphError(100, { message: `(#100) Param ${name} must have 1 to ${limit} characters` });
}

function readUsername(platform: Platform, number: BusinessNumber, body: JsonObject): string {
  const username = (textOf(body['username']) ?? '').toLowerCase();
  const isWellFormed = /^(?!www)(?!.*\.\.)[a-z0-9_][a-z0-9._]{1,33}[a-z0-9_]$/.test(username);
  if (!isWellFormed || !/[a-z]/.test(username)) throw new GraphError(147001);
  const owner = [...platform.store.numbers.values()].find(
    (other) => other !== number && other.username === username,
  );
  if (owner && owner.accountId !== number.accountId) throw new GraphError(147001);
  if (owner && !flagOf(body['force_transfer'])) throw new GraphError(147005);
  if (owner) delete owner.username;
  return username;
}
