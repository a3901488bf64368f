import { Hono, type Context } from 'hono';
import { isObject, objectOf, parseJson, textOf, type JsonObject } from '../core/json.ts';
import { isPhoneNumber, magicEndings, type PhoneBehaviour } from './phones.ts';
import type { Agent, LaunchState } from './agents.ts';
import { changeRcsBehaviour } from './rcs-behaviour.ts';
import { suggestionsOf, type PhoneEntry, type RcsPlatform } from './rcs-platform.ts';
import { projects } from './seed.ts';
import { shakeHands } from './rcs-webhooks.ts';
import { randomUUID } from 'node:crypto';

const launchStates = ['PENDING', 'LAUNCHED', 'REJECTED', 'SUSPENDED', 'UNLAUNCHED'];
const behaviours: readonly string[] = ['reachable', ...Object.values(magicEndings)];

/** `/_sandbox/rcs/*`: what customers do, and switches. */
export function rcsControls(platform: RcsPlatform): Hono {
  const app = new Hono();
  app.get('/service-account', (c) => {
    const project = projects.find((one) => one === (c.req.query('project') ?? projects[0]));
    return project
      ? c.json(platform.keyFile(project))
      : problem(c, `project is one of ${projects.join(', ')}`);
  });
  app.get('/agents', (c) => c.json({ agents: platform.agents.all().map(describeAgent) }));
  app.post('/agents', async (c) => {
    const { id, displayName } = await bodyOf(c);
    const name = textOf(id) ?? '';
    const agent = platform.agents.add({ id: name, displayName: textOf(displayName) ?? name });
    if (!agent) return problem(c, 'id is new, and has lower-case letters, digits and hyphens');
    platform.changed();
    return c.json(describeAgent(agent));
  });
  app.get('/behaviour', (c) => c.json(platform.behaviour));
  app.post('/behaviour', async (c) => {
    const changed = changeRcsBehaviour(platform.behaviour, await bodyOf(c));
    if ('problem' in changed) return problem(c, changed.problem);
    platform.behaviour = changed;
    platform.changed();
    return c.json(changed);
  });
  app.get('/messages', (c) => c.json({ messages: [...platform.messages.values()] }));
  app.get('/events', (c) => c.json({ events: platform.events }));
  app.get('/stats', (c) =>
    c.json({ ...platform.stats, webhooks: { ...platform.sender.counts, pending: platform.sender.pending } }),
  );
  app.get('/webhooks', (c) =>
    c.json({
      webhooks: [...platform.sender.log.newestFirst()].map(({ body, ...record }) => ({
        ...record,
        bytes: body?.length ?? null,
      })),
    }),
  );
  app.get('/webhook', (c) => {
    const agent = agentIn(platform, { agentId: c.req.query('agentId') });
    if (!agent) return noAgent(c);
    return c.json({ callbackUrl: agent.webhookUrl, clientToken: agent.clientToken });
  });
  app.post('/webhook', async (c) => {
    const body = await bodyOf(c);
    const agent = agentIn(platform, body);
    if (!agent) return noAgent(c);
    agent.clientToken = textOf(body['clientToken']) ?? agent.clientToken;
    agent.webhookUrl = textOf(body['callbackUrl']) ?? null;
    platform.changed();
    const { webhookUrl, clientToken } = agent;
    const handshake = webhookUrl === null ? null : await shakeHands(webhookUrl, clientToken);
    return c.json({ callbackUrl: webhookUrl, handshake });
  });
  app.post('/agent/launch-state', async (c) => {
    const body = await bodyOf(c);
    const agent = agentIn(platform, body);
    if (!agent) return noAgent(c);
    const state = textOf(body['state']) ?? '';
    if (!launchStates.includes(state)) return problem(c, `state is one of ${launchStates.join(', ')}`);
    platform.launch(agent, state as LaunchState); // one of the list
    return c.json({ state });
  });
  app.post('/agent/access', async (c) => {
    const body = await bodyOf(c);
    const agent = agentIn(platform, body);
    if (!agent) return noAgent(c);
    agent.isRevoked = body['isRevoked'] === true;
    agent.mayManage = body['mayManage'] !== false;
    platform.changed();
    return c.json({ isRevoked: agent.isRevoked, mayManage: agent.mayManage });
  });
  app.post('/phones/:phone', async (c) => {
    const behaviour = textOf((await bodyOf(c))['behaviour']) ?? '';
    if (!behaviours.includes(behaviour)) return problem(c, `behaviour is one of ${behaviours.join(', ')}`);
    platform.switchPhone(c.req.param('phone'), behaviour as PhoneBehaviour); // one of the list
    return c.json({ behaviour });
  });
  app.get('/testers', (c) => {
    const agent = agentIn(platform, { agentId: c.req.query('agentId') });
    if (!agent) return noAgent(c);
    return c.json({
      testers: [...agent.testers].map(([phone, inviteStatus]) => ({ phone, inviteStatus })),
      ...{ launch: agent.launch, isRevoked: agent.isRevoked },
    });
  });
  app.post('/testers/:phone', async (c) => {
    const body = await bodyOf(c);
    const agent = agentIn(platform, body);
    if (!agent) return noAgent(c);
    const status = textOf(body['inviteStatus']);
    if (status !== 'ACCEPTED' && status !== 'DECLINED')
      return problem(c, 'inviteStatus is ACCEPTED or DECLINED');
    if (!agent.testers.has(c.req.param('phone'))) return problem(c, 'This phone was not invited');
    agent.testers.set(c.req.param('phone'), status);
    platform.changed();
    return c.json({ inviteStatus: status });
  });
  app.post('/inbound', async (c) => {
    const body = await bodyOf(c);
    const from = textOf(body['from']) ?? '';
    if (!isPhoneNumber(from))
      return problem(c, 'from is a phone number with its country code, such as +447700900201');
    const agent = agentIn(platform, body);
    if (!agent) return noAgent(c);
    const said = saidBy(platform, { phone: from, agentId: agent.id }, body);
    if (said === null)
      return problem(c, 'Send one of text, tap, location, file, typing, read, subscribe and unsubscribe.');
    for (const one of said) one();
    return c.json({ success: true });
  });
  app.get('/files/:name', (c) => {
    const file = platform.files.get(`files/${c.req.param('name')}`);
    if (!file) return c.text('Not found', 404);
    return c.body(file.bytes, 200, {
      'content-type': file.mimeType,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
  });
  app.get('/phones', (c) => {
    const readIds = new Set(
      platform.events.flatMap(({ eventType, messageId }) => (eventType === 'READ' ? [messageId] : [])),
    );
    return c.json({
      phones: platform.threads().map(({ phone, agentId, entries }) => ({
        ...{ phone, agentId, behaviour: platform.phoneBehaviour(phone) },
        entries: describePhone(entries, readIds),
      })),
    });
  });
  return app;
}

/** What a customer does, as the platform would tell of it: nothing happens until it is called. */
function saidBy(platform: RcsPlatform, by: Between, body: JsonObject): (() => void)[] | null {
  const say = (said: JsonObject) => [
    () => platform.say(by.agentId, by.phone, { messageId: `Mx${randomUUID()}`, ...said }),
  ];
  const { text, location, tap } = body;
  if (textOf(text) !== undefined) return say({ text: textOf(text) });
  if (isObject(location)) return say({ location });
  const file = objectOf(body['file']);
  if (textOf(file['base64']) !== undefined) return say({ userFile: fileOf(platform, file) });
  if (tap !== undefined) {
    const tapped = findTapped(platform.entriesOf(by.phone, by.agentId), tap);
    return tapped && say({ suggestionResponse: tapped });
  }
  if (body['typing'] === true) return [() => platform.report('IS_TYPING', by)];
  if (body['read'] === true)
    return [
      () =>
        platform
          .entriesOf(by.phone, by.agentId)
          .forEach((entry) => entry.direction === 'in' && platform.read(entry.message)),
    ];
  if (body['unsubscribe'] === true || body['subscribe'] === true) {
    const isOut = body['unsubscribe'] === true;
    // Two things: the word of the country as a message, and the event.
    return [
      ...say({ text: isOut ? 'STOP' : 'START' }),
      () => platform.report(isOut ? 'UNSUBSCRIBE' : 'SUBSCRIBE', by),
    ];
  }
  return null;
}

type Between = { phone: string; agentId: string };

/** A file of a customer: it lies at an address that opens without a sign-in. */
function fileOf(platform: RcsPlatform, { mimeType, fileName, base64 }: JsonObject): JsonObject {
  const bytes = new Uint8Array(Buffer.from(textOf(base64) ?? '', 'base64'));
  const type = textOf(mimeType) ?? 'application/octet-stream';
  const name = platform.keepFile(type, bytes);
  const payload = {
    ...{ mimeType: type, fileSizeBytes: bytes.length, fileName: textOf(fileName) ?? 'file' },
    fileUri: `${platform.origin}/_sandbox/rcs/${name}`,
  };
  return { payload };
}

/** By its label, or `{ messageId, index }`: a suggestion of the newest message that has it. */
function findTapped(entries: readonly PhoneEntry[], tap: unknown): JsonObject | null {
  const { messageId, index } = objectOf(tap);
  for (const entry of entries.toReversed()) {
    if (entry.direction !== 'in' || (messageId !== undefined && entry.message.messageId !== messageId))
      continue;
    const all = suggestionsOf(entry.message);
    const found = typeof tap === 'string' ? all.find((one) => labelOf(one) === tap) : all[Number(index ?? 0)];
    if (!found) continue;
    const { text, postbackData } = objectOf(found['reply'] ?? found['action']);
    return { postbackData, text, type: found['reply'] === undefined ? 'ACTION' : 'REPLY' };
  }
  return null;
}

const labelOf = (suggestion: JsonObject): string | undefined =>
  textOf(objectOf(suggestion['reply'] ?? suggestion['action'])['text']);

/** `readIds` are those of messages that the agent has read. */
function describePhone(entries: readonly PhoneEntry[], readIds: ReadonlySet<string | null>): JsonObject[] {
  return entries.map((entry) =>
    entry.direction === 'out'
      ? {
          ...{ direction: 'out', at: entry.at, said: entry.said },
          ...(readIds.has(textOf(entry.said['messageId']) ?? null) && { state: 'read' }),
        }
      : {
          direction: 'in',
          at: entry.at,
          messageId: entry.message.messageId,
          state: entry.message.state,
          content: entry.message.content,
        },
  );
}

/** The agent that a control names; without a name, the one of the start. */
function agentIn(platform: RcsPlatform, { agentId }: JsonObject): Agent | undefined {
  const id = textOf(agentId);
  return id === undefined ? platform.agents.first : platform.agents.find(id);
}

const noAgent = (c: Context): Response => problem(c, 'There is no such agent');

const describeAgent = ({ id, displayName, launch, webhookUrl }: Agent): JsonObject => ({
  ...{ id, displayName, launch, callbackUrl: webhookUrl },
});

async function bodyOf(c: Context): Promise<JsonObject> {
  return objectOf(parseJson(await c.req.text()));
}

function problem(c: Context, message: string): Response {
  return c.json({ error: { message } }, 400);
}
