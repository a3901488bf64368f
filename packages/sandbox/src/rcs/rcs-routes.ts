import { Hono, type Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { listOf, objectOf, parseJson, textOf, type JsonObject } from '../core/json.ts';
import type { Agent } from './agents.ts';
import { checkMessage } from './message-rules.ts';
import { featuresOf, isPhoneNumber, type PhoneBehaviour } from './phones.ts';
import { RcsError } from './rcs-error.ts';
import { managementRoutes } from './management-routes.ts';
import type { AgentMessage, RcsPlatform } from './rcs-platform.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const SLOW_MS = 3_000;

/** The API that partners call: `/rcs/token`, `/rcs/v1/…`. */
export function rcsRoutes(platform: RcsPlatform): Hono {
  const app = new Hono();
  app.use('*', async (c, next) => {
    await wait(platform.behaviour.latencyMs);
    await next();
    platform.calls.add({ at: platform.now(), method: c.req.method, path: c.req.path, status: c.res.status });
    platform.changed();
  });
  app.onError((error, c) => {
    if (error instanceof RcsError) return c.json(error.toBody(), error.code as ContentfulStatusCode);
    return c.json(new RcsError('INTERNAL', error.message).toBody(), 500);
  });

  app.post('/token', async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const { status, body } = platform.access.exchange(form, platform.tokenUrl, platform.now());
    return c.json(body, status);
  });

  app.post('/v1/phones/:phone/agentMessages', async (c) => {
    const { agent, phone, behaviour } = meetPhone(platform, c);
    const messageId = c.req.query('messageId') ?? '';
    if (!UUID.test(messageId)) throw new RcsError('INVALID_ARGUMENT', 'messageId is a UUID');
    const known = platform.messages.get(messageId);
    if (known ?? platform.usesId(messageId)) {
      platform.stats.repeated += 1;
      if (platform.behaviour.conflicts || !known)
        throw new RcsError('ALREADY_EXISTS', 'Requested entity already exists');
      return c.json(describeMessage(known));
    }
    refuseAsPhone(platform, { agent, phone, behaviour });
    const checked = checkMessage(await bodyOf(c), platform.now());
    if (checked.files.some((name) => !platform.files.has(name)))
      throw new RcsError('INVALID_ARGUMENT', 'There is no such file');
    const features = featuresOf(behaviour);
    const missing = [...checked.needs].find((feature) => !features.includes(feature));
    if (missing !== undefined)
      throw new RcsError('INVALID_ARGUMENT', `The device does not support ${missing}`);
    if (behaviour === 'slow') await wait(SLOW_MS);
    platform.useId(messageId);
    return c.json(describeMessage(platform.accept({ phone, messageId, agentId: agent.id }, checked)));
  });

  app.delete('/v1/phones/:phone/agentMessages/:messageId', async (c) => {
    meetPhone(platform, c);
    const isRevoked = platform.revoke(c.req.param('messageId'));
    if (!isRevoked && !platform.behaviour.alwaysRevokes) throw notFound();
    return c.json({});
  });

  app.post('/v1/phones/:phone/agentEvents', async (c) => {
    const { agent, phone, behaviour } = meetPhone(platform, c);
    const { eventType, messageId } = await bodyOf(c);
    const eventId = c.req.query('eventId') ?? '';
    if (!UUID.test(eventId)) throw new RcsError('INVALID_ARGUMENT', 'eventId is a UUID');
    if (eventType !== 'IS_TYPING' && eventType !== 'READ')
      throw new RcsError('INVALID_ARGUMENT', 'eventType is not known');
    if (eventType === 'READ' && textOf(messageId) === undefined)
      throw new RcsError('INVALID_ARGUMENT', 'messageId is missing');
    refuseAsPhone(platform, { agent, phone, behaviour });
    if (!platform.useId(eventId)) {
      platform.events.push({ phone, eventType, messageId: textOf(messageId) ?? null });
      platform.changed();
    }
    return c.json({
      name: `phones/${phone}/agentEvents/${eventId}`,
      eventType,
      sendTime: timeOf(platform.now()),
    });
  });

  app.get('/v1/phones/:phone/capabilities', async (c) => {
    const { agent, phone, behaviour } = meetPhone(platform, c);
    if (!UUID.test(c.req.query('requestId') ?? ''))
      throw new RcsError('INVALID_ARGUMENT', 'requestId is a UUID');
    if (!mayReach(agent, phone)) throw notFound();
    refuseAsPhone(platform, { agent, phone, behaviour });
    return c.json({ features: featuresOf(behaviour) });
  });

  app.post('/v1/users:batchGet', async (c) => {
    const body = await bodyOf(c);
    const agent = enterAs(platform, c, textOf(body['agentId']));
    const users = listOf(body['users']).map((user) => textOf(user) ?? '');
    const isRight = users.length >= 500 && users.length <= 10_000 && new Set(users).size === users.length;
    if (!isRight || !users.every(isPhoneNumber))
      throw new RcsError('INVALID_ARGUMENT', 'users holds 500 to 10000 different phone numbers');
    if (!platform.takesBatch())
      throw new RcsError('RESOURCE_EXHAUSTED', 'Quota exceeded: 600 calls a minute');
    const reachable = users.filter(
      (user) => !['no_rcs', 'not_launched'].includes(platform.phoneBehaviour(user)),
    );
    const onRcs = users.filter((user) => platform.phoneBehaviour(user) !== 'no_rcs');
    return c.json({
      reachableUsers: agent.launch === 'LAUNCHED' ? reachable : [],
      totalRandomSampleUserCount: Math.floor(users.length * 0.75),
      reachableRandomSampleUserCount: Math.floor(onRcs.length * 0.75),
    });
  });

  app.post('/v1/phones/:phone/testers', async (c) => {
    const { agent, phone, behaviour } = meetPhone(platform, c);
    if (behaviour === 'no_rcs') throw new RcsError('INVALID_ARGUMENT', 'The phone number is not on RCS');
    if (!platform.inviteTester(agent, phone))
      throw new RcsError('RESOURCE_EXHAUSTED', 'Quota exceeded: 20 invitations a day, 200 in all');
    return c.json({ name: `phones/${phone}/testers`, inviteStatus: agent.testers.get(phone) });
  });

  app.post('/upload/v1/files', async (c) => {
    enterAs(platform, c, undefined);
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    const mimeType = c.req.header('content-type') ?? '';
    if (bytes.length === 0 || !/^(image|video|audio)\/|^application\/(pdf|ogg)$/.test(mimeType))
      throw new RcsError('INVALID_ARGUMENT', 'The file is empty, or its type is not taken');
    return c.json({ name: platform.keepFile(mimeType, bytes) });
  });

  app.route('/v1', managementRoutes(platform));
  return app;
}

type Met = { agent: Agent; phone: string; behaviour: PhoneBehaviour };

function meetPhone(platform: RcsPlatform, c: Context): Met {
  const agent = enterAs(platform, c, undefined);
  const phone = c.req.param('phone') ?? '';
  if (!isPhoneNumber(phone))
    throw new RcsError('INVALID_ARGUMENT', 'The phone number is not in the E.164 format');
  return { agent, phone, behaviour: platform.phoneBehaviour(phone) };
}

function enterAs(platform: RcsPlatform, c: Context, inBody: string | undefined): Agent {
  return platform.enter(c.req.header('authorization'), c.req.query('agentId') ?? inBody ?? '');
}

const mayReach = (agent: Agent, phone: string): boolean =>
  agent.launch === 'LAUNCHED' || agent.testers.get(phone) === 'ACCEPTED';

/** As the number and the state of the agent say. */
function refuseAsPhone(platform: RcsPlatform, { agent, phone, behaviour }: Met): void {
  if (!mayReach(agent, phone))
    throw new RcsError(
      'PERMISSION_DENIED',
      'The agent is not launched, and the phone is none of its test devices',
    );
  if (behaviour === 'no_rcs' || behaviour === 'not_launched') throw notFound();
  const isStubborn = behaviour === 'quota' || behaviour === 'server_error';
  if (!isStubborn || platform.countRefusal(phone) > platform.behaviour.refusals) return;
  throw behaviour === 'quota'
    ? new RcsError('RESOURCE_EXHAUSTED', 'Quota exceeded')
    : new RcsError('UNAVAILABLE', 'The service is currently unavailable.');
}

function describeMessage({
  phone,
  messageId,
  content,
  acceptedAt,
  trafficType,
  expiresAt,
}: AgentMessage): JsonObject {
  return {
    name: `phones/${phone}/agentMessages/${messageId}`,
    ...{ sendTime: timeOf(acceptedAt), contentMessage: content, messageTrafficType: trafficType },
    ...(expiresAt !== null && { expireTime: timeOf(expiresAt) }),
  };
}

async function bodyOf(c: Context): Promise<JsonObject> {
  return objectOf(parseJson(await c.req.text()));
}

const timeOf = (at: number): string => new Date(at).toISOString();
const notFound = () => new RcsError('NOT_FOUND', 'Requested entity was not found.');
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
