import { Hono } from 'hono';
import { objectOf, parseJson, textOf, type JsonObject } from '../../core/json.ts';
import type { Platform } from '../platform.ts';
import { addAccount, addApp, addNumber, sampleIds } from '../seed.ts';
import type { BusinessNumber } from '../store.ts';
import { setTemplateCategory, setTemplateQuality, setTemplateStatus } from '../templates/template-review.ts';
import { readCategory } from '../templates/template-rules.ts';
import { showNode } from '../nodes/node-type.ts';
import { numberNode } from '../nodes/number-node.ts';

/** `/_sandbox/whatsapp/numbers` and `/templates`: what the platform's own staff would change. */
export function nodeControlRoutes(platform: Platform): Hono {
  const app = new Hono();
  const { store } = platform;

  app.get('/numbers', (c) =>
    c.json({
      numbers: [...store.numbers.values()].map((number) => ({
        ...showNumber(platform, number),
        businessAccountId: number.accountId,
        throughputMps: number.throughputMps ?? platform.behaviour.throughputMps,
      })),
    }),
  );

  app.post('/numbers', async (c) => {
    const body = objectOf(parseJson(await c.req.text()));
    const appId = textOf(body['appId']) ?? sampleIds.app;
    const fields: readonly unknown[] | null = Array.isArray(body['fields']) ? body['fields'] : null;
    const graphApp =
      store.apps.get(appId) ??
      addApp(store, {
        id: appId,
        secret: textOf(body['appSecret']) ?? sampleIds.appSecret,
        verifyToken: textOf(body['verifyToken']) ?? sampleIds.verifyToken,
        fields: fields?.map(String) ?? null,
      });
    graphApp.callbackUrl = textOf(body['callbackUrl']) ?? graphApp.callbackUrl;
    const accountId = textOf(body['businessAccountId']) ?? store.ids.next('account');
    const account =
      store.accounts.get(accountId) ??
      addAccount(store, accountId, textOf(body['name']) ?? 'Business', appId);
    account.appIds.add(appId);
    if (body['subscribed'] === false) account.subscribedAppIds.delete(appId);
    else account.subscribedAppIds.add(appId);
    const numberId = textOf(body['phoneNumberId']) ?? store.ids.next('number');
    if (store.numbers.has(numberId))
      return c.json({ error: { message: 'This phone number id exists' } }, 409);
    const number = addNumber(store, account, numberId, body);
    // As a number that was just bought.
    if (body['isVerified'] === false)
      Object.assign(number, { isRegistered: false, isVerified: false, status: 'UNVERIFIED' });
    const accessToken = textOf(body['accessToken']) ?? `sandbox-token-${appId}`;
    if (!store.tokens.has(accessToken)) store.tokens.set(accessToken, { appId, problem: null });
    platform.changed();
    return c.json({
      phoneNumberId: number.id,
      businessAccountId: account.id,
      appId,
      appSecret: graphApp.secret,
      accessToken,
      verifyToken: graphApp.verifyToken,
      callbackUrl: graphApp.callbackUrl,
    });
  });

  app.post('/numbers/:id', async (c) => {
    const number = store.numbers.get(c.req.param('id'));
    if (!number) return c.json({ error: { message: 'There is no such number' } }, 404);
    const problem = changeNumberState(platform, number, objectOf(parseJson(await c.req.text())));
    return problem ? c.json({ error: { message: problem } }, 400) : c.json(showNumber(platform, number));
  });

  app.get('/templates', (c) =>
    c.json({
      templates: [...store.templates.values()].map(
        ({ id, accountId, name, language, status, category, qualityScore }) => ({
          ...{ id, businessAccountId: accountId, name, language, status, category, qualityScore },
        }),
      ),
    }),
  );

  app.post('/templates/:id', async (c) => {
    const wanted = c.req.param('id');
    const template =
      store.templates.get(wanted) ?? [...store.templates.values()].find((item) => item.name === wanted);
    if (!template) return c.json({ error: { message: 'There is no such template' } }, 404);
    const body = objectOf(parseJson(await c.req.text()));
    const status = textOf(body['status'])?.toUpperCase();
    const quality = textOf(body['quality'])?.toUpperCase();
    if (status !== undefined) setTemplateStatus(platform, template, status, reasonsOf(status));
    if (quality !== undefined) setTemplateQuality(platform, template, quality);
    if (body['category'] !== undefined)
      setTemplateCategory(platform, template, readCategory(body['category']));
    return c.json({
      id: template.id,
      status: template.status,
      quality: template.qualityScore,
      category: template.category,
    });
  });

  return app;
}

const shownFields =
  'display_phone_number,verified_name,quality_rating,status,code_verification_status,name_status,platform_type,' +
  'throughput,whatsapp_business_manager_messaging_limit,is_pin_enabled,health_status,webhook_configuration';

function showNumber(platform: Platform, number: BusinessNumber): JsonObject {
  return showNode(numberNode, number, shownFields, { platform, origin: '', url: '' });
}

const NAME_STATUSES = [
  'APPROVED',
  'AVAILABLE_WITHOUT_REVIEW',
  'DECLINED',
  'EXPIRED',
  'PENDING_REVIEW',
  'NONE',
];

function changeNumberState(platform: Platform, number: BusinessNumber, body: JsonObject): string | undefined {
  const quality = textOf(body['quality'])?.toUpperCase();
  const limit = textOf(body['limit'])?.toUpperCase();
  const throughput = body['throughputMps'];
  if (quality !== undefined) {
    if (quality !== 'GREEN' && quality !== 'YELLOW' && quality !== 'RED' && quality !== 'UNKNOWN')
      return 'quality is not known';
    number.qualityRating = quality;
  }
  if (throughput !== undefined) {
    if (throughput !== null && !(typeof throughput === 'number' && throughput >= 0))
      return 'throughputMps is not a number';
    number.throughputMps = throughput;
    number.throughputLevel = (throughput ?? 0) >= 1000 ? 'HIGH' : 'STANDARD';
    announce(platform, number, { event: 'THROUGHPUT_UPGRADE', current_limit: number.tier });
  }
  const status = textOf(body['status'])?.toUpperCase();
  if (status !== undefined) number.status = status;
  const nameStatus = textOf(body['nameStatus'])?.toUpperCase();
  if (nameStatus !== undefined) {
    if (!NAME_STATUSES.includes(nameStatus)) return 'nameStatus is not known';
    number.nameStatus = nameStatus;
  }
  const health = textOf(body['health'])?.toUpperCase();
  if (health === 'LIMITED' || health === 'BLOCKED') number.health = health;
  else if (health === 'USUAL') delete number.health;
  else if (health !== undefined) return 'health is not known';
  if (limit !== undefined) {
    if (!/^TIER_(50|250|2K|10K|100K|UNLIMITED)$/.test(limit)) return 'limit is not a tier';
    const before = number.tier;
    number.tier = limit;
    announce(platform, number, { event: 'ONBOARDING', old_limit: before, current_limit: limit });
  }
  platform.changed();
  return undefined;
}

function announce(platform: Platform, number: BusinessNumber, value: JsonObject): void {
  const account = platform.store.accounts.get(number.accountId);
  const whole = { display_phone_number: number.digits, ...value };
  if (account)
    platform.sendAccountWebhook(account, 'phone_number_quality_update', whole, 'phone_number_quality_update');
}

function reasonsOf(status: string): JsonObject {
  if (status === 'PAUSED')
    return { other_info: { title: 'FIRST_PAUSE', description: 'Paused for 3 hours for low quality' } };
  if (status === 'DISABLED') return { disable_info: { disable_date: new Date().toISOString().slice(0, 10) } };
  if (status !== 'REJECTED') return {};
  return {
    rejection_info: { reason: 'Refused by hand', recommendation: 'Change the template and send it again' },
  };
}
