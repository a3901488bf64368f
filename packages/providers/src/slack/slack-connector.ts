import type { Credentials } from '@app/domain/channels/channel-credentials';
import type { Connector, ConnectorCall, ConnectorKind } from '@app/domain/integrations/connector-kind';
import type { ConnectorProblem } from '@app/domain/integrations/connector-problems';
import type { ConnectorEvent, EventOutcome, EventTarget } from '@app/domain/integrations/event-connector';
import { recordOf, textOf } from '../calls/json-values.ts';
import { outcomeOfSend, SEND_TIMEOUT_MS } from '../calls/send-event.ts';
import { composeSlackMessage } from './slack-message.ts';
import { slackConsent } from './slack-consent.ts';
import { slackSetupUrl } from './slack-setup-url.ts';
import { slackWebhooks } from './slack-webhooks.ts';

const ORIGIN = 'https://slack.com/api';
/** Credentials with which the stand-in of the sandbox opens. */
const SANDBOX = { botToken: 'xoxb-sandbox-slack-token', signingSecret: 'sandbox-slack-signing-secret' };
const SANDBOX_TOKENS = 'xoxb-sandbox-';
/** Pages of channels that are read for the list of a form, of 200 each. */
const MOST_PAGES = 10;

/** `sandboxUrl` is the address of the sandbox of this installation, if it has one. */
export function slackConnector({ sandboxUrl }: { sandboxUrl: string | undefined }): ConnectorKind {
  return {
    name: 'slack',
    title: 'Slack',
    category: 'communication',
    type: 'webhook',
    features: ['newChats', 'handoffs', 'campaignReports', 'threadReplies'],
    limit: { perSecond: 2, atOnce: 2 },
    credentials: {
      version: 1,
      fields: [
        { name: 'botToken', label: 'botToken', isSecret: true, format: 'text' },
        {
          ...{ name: 'signingSecret', label: 'signingSecret', isSecret: true, format: 'text' as const },
          ...{ isOptional: true as const, isAdvanced: true as const },
        },
        // Not empty: the token came by a consent, and is revoked when the connection ends.
        {
          ...{ name: 'byConsent', label: 'byConsent', isSecret: false, format: 'text' as const },
          ...{ isOptional: true as const, isHidden: true as const },
        },
      ],
    },
    consent: slackConsent({ sandboxUrl }),
    setupUrl: slackSetupUrl,
    ...(sandboxUrl !== undefined && { sandbox: SANDBOX }),
    events: {
      topics: [{ name: 'newChats' }, { name: 'handoffs' }, { name: 'campaignsCompleted' }],
      // A channel takes about one message a second: api.slack.com, rate limits.
      perSecond: 1,
      // A message carries the id of its event: before a second attempt it is looked for.
      withoutAnswer: 'again',
      hasTarget: true,
    },
    webhooks: slackWebhooks,
    open: (credentials, { call }) => openAccount(credentials, call, sandboxUrl),
  };
}

type Answer =
  | { ok: true; body: Record<string, unknown> }
  | { ok: false; outcome: EventOutcome & { outcome: 'failed' | 'refused' } };

function openAccount(
  { botToken = '', byConsent = '' }: Credentials,
  call: ConnectorCall,
  sandboxUrl: string | undefined,
): Connector {
  const isSandbox = sandboxUrl !== undefined && botToken.startsWith(SANDBOX_TOKENS);
  const origin = isSandbox ? `${sandboxUrl}/slack/api` : ORIGIN;

  /** One call of the Web API. An error comes as 200 with `ok: false`. Only methods that write take JSON; the others take a form. */
  async function ask(method: string, body: Record<string, unknown>): Promise<Answer> {
    const isJson = method === 'chat.postMessage';
    const type = isJson ? 'application/json; charset=utf-8' : 'application/x-www-form-urlencoded';
    const outcome = await call({
      ...{ method: 'POST', url: `${origin}/${method}`, timeoutMs: SEND_TIMEOUT_MS },
      headers: { authorization: `Bearer ${botToken}`, 'content-type': type },
      body: isJson ? JSON.stringify(body) : formOf(body),
    });
    const sent = outcomeOfSend(outcome);
    if (sent.outcome === 'failed' || sent.outcome === 'refused') return { ok: false, outcome: sent };
    const answer = outcome.outcome === 'ok' ? outcome.response.json() : undefined;
    const read = recordOf(answer);
    if (read['ok'] === true) return { ok: true, body: read };
    if (typeof read['ok'] !== 'boolean')
      return { ok: false, outcome: failed('response_unreadable', null, true) };
    return { ok: false, outcome: readError(textOf(read['error']) ?? '', textOf(read['needed'])) };
  }

  async function post(event: ConnectorEvent): Promise<EventOutcome> {
    const message = composeSlackMessage(event);
    if (!message) return { outcome: 'skipped' };
    const thread = message.inThread ? (event.conversation?.thread ?? null) : null;
    const channel = thread?.target ?? event.target?.id;
    if (!channel) return { outcome: 'refused', detail: 'channel_not_found' };
    const there = event.mayBeThere ? await findPosted(ask, channel, thread?.thread, event) : null;
    const answer: Answer = there
      ? { ok: true, body: { ts: there } }
      : await ask('chat.postMessage', {
          ...{ channel, text: message.text, unfurl_links: false },
          blocks: [
            { type: 'section', text: { type: 'mrkdwn', text: message.text } },
            ...(message.button
              ? [
                  {
                    type: 'actions',
                    elements: [
                      {
                        ...{ type: 'button', url: message.button.url },
                        text: { type: 'plain_text', text: message.button.text },
                      },
                    ],
                  },
                ]
              : []),
          ],
          ...(thread && { thread_ts: thread.thread, reply_broadcast: message.isBroadcast }),
          metadata: { event_type: 'messaging_event', event_payload: { id: event.id } },
        });
    if (!answer.ok) return answer.outcome;
    const ts = textOf(answer.body['ts']);
    if (!event.conversation || !ts) return { outcome: 'sent' };
    return { outcome: 'sent', thread: { target: channel, thread: thread?.thread ?? ts } };
  }

  return {
    async check() {
      const answer = await ask('auth.test', {});
      if (answer.ok) return { state: 'healthy', account: textOf(answer.body['team']) ?? null };
      const { outcome } = answer;
      return outcome.outcome === 'refused'
        ? { state: 'unhealthy', problem: 'service_rejected', detail: outcome.detail }
        : { state: 'unhealthy', problem: outcome.problem, detail: outcome.detail };
    },
    ...(byConsent !== '' && {
      async revoke() {
        await ask('auth.revoke', {});
      },
    }),
    events: {
      async send(event) {
        const sent = await post(event);
        return isThreadLost(sent, event) ? post(inNewThread(event)) : sent;
      },
      async listTargets() {
        const found: EventTarget[] = [];
        let cursor = '';
        for (let page = 0; page < MOST_PAGES; page += 1) {
          const answer = await ask('conversations.list', {
            ...{ types: 'public_channel,private_channel', exclude_archived: true, limit: 200, cursor },
          });
          if (!answer.ok)
            return answer.outcome.outcome === 'refused'
              ? { ok: false, problem: 'service_rejected', detail: answer.outcome.detail }
              : { ok: false, problem: answer.outcome.problem, detail: answer.outcome.detail };
          for (const one of listIn(answer.body['channels'])) {
            const id = textOf(one['id']);
            if (id) found.push({ id, name: `#${textOf(one['name']) ?? id}` });
          }
          cursor = textOf(recordOf(answer.body['response_metadata'])['next_cursor']) ?? '';
          if (cursor === '') break;
        }
        return { ok: true, value: found };
      },
    },
  };
}

/** The thread of the conversation is gone, or in a channel that the bot lost since another one was chosen. Nothing was posted. */
function isThreadLost(sent: EventOutcome, { conversation, target }: ConnectorEvent): boolean {
  const thread = conversation?.thread;
  if (!thread) return false;
  if (sent.outcome === 'refused') return sent.detail === 'thread_not_found';
  return sent.outcome === 'failed' && sent.problem === 'account_unknown' && thread.target !== target?.id;
}

/** The same as the beginning of a thread in the chosen channel. */
function inNewThread(event: ConnectorEvent): ConnectorEvent {
  const { type, conversation } = event;
  return {
    ...event,
    type: type === 'messages.arrived' ? 'conversations.opened' : type,
    conversation: conversation && { ...conversation, thread: null },
  };
}

/** The time stamp of a message that an attempt without an answer left there; null where there is none, or it may not be looked for. */
async function findPosted(
  ask: (method: string, body: Record<string, unknown>) => Promise<Answer>,
  channel: string,
  thread: string | undefined,
  { id, occurredAt }: { id: string; occurredAt: string },
): Promise<string | null> {
  const since = { oldest: String(Math.floor(Date.parse(occurredAt) / 1000) - 60), limit: 200 };
  const answer = await ask(thread ? 'conversations.replies' : 'conversations.history', {
    ...{ channel, include_all_metadata: true, ...since, ...(thread && { ts: thread }) },
  });
  if (!answer.ok) return null;
  const posted = listIn(answer.body['messages']).find(
    ({ metadata }) => recordOf(recordOf(metadata)['event_payload'])['id'] === id,
  );
  return (posted && textOf(posted['ts'])) ?? null;
}

const formOf = (body: Record<string, unknown>): string =>
  new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)])).toString();

const listIn = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.map(recordOf) : [];

function failed(problem: ConnectorProblem, detail: string | null, isUnknown = false) {
  return { outcome: 'failed' as const, problem, detail, retryAfterMs: null, isUnknown };
}

/** Errors of the Web API, by the problem that each is. */
function readError(
  error: string,
  needed: string | null | undefined,
): EventOutcome & { outcome: 'failed' | 'refused' } {
  const detail = needed ? `${error}: ${needed}` : error;
  if (['invalid_auth', 'not_authed', 'token_revoked', 'token_expired', 'account_inactive'].includes(error))
    return failed('credentials_wrong', detail);
  if (['missing_scope', 'no_permission', 'restricted_action'].includes(error))
    return failed('permission_missing', detail);
  if (['channel_not_found', 'not_in_channel', 'is_archived'].includes(error))
    return failed('account_unknown', detail);
  if (['ratelimited', 'rate_limited'].includes(error)) return failed('service_busy', null);
  if (['msg_too_long', 'no_text', 'invalid_blocks', 'thread_not_found'].includes(error))
    return { outcome: 'refused', detail };
  return failed(
    /internal|fatal|unavailable|timeout/.test(error) ? 'service_away' : 'service_rejected',
    detail,
  );
}
