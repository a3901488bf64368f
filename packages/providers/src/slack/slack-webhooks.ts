import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ConnectorWebhooks } from '@app/domain/integrations/connector-kind';
import { parseJson, recordOf, textOf } from '../calls/json-values.ts';
import { unescapeSlack } from './slack-words.ts';

const OLDEST_SECONDS = 300;
/** Subtypes of what a person writes: a reply, one that is also sent to the channel, `/me`, and one with files. */
const WRITTEN: ReadonlySet<unknown> = new Set([undefined, 'thread_broadcast', 'me_message', 'file_share']);

/** The Events API: api.slack.com, verifying requests from Slack. */
export const slackWebhooks: ConnectorWebhooks = {
  isSigned({ signingSecret = '' }, { headers, body, now }) {
    const signature = headers.get('x-slack-signature') ?? '';
    const timestamp = headers.get('x-slack-request-timestamp') ?? '';
    if (signingSecret === '' || !/^\d{10,12}$/.test(timestamp)) return false;
    if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > OLDEST_SECONDS) return false;
    const digest = createHmac('sha256', signingSecret).update(`v0:${timestamp}:`).update(body).digest('hex');
    const expected = Buffer.from(`v0=${digest}`);
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  },

  readChanged: () => [],

  /** `url_verification` is answered with its challenge. */
  answer(body) {
    const { type, challenge } = recordOf(parseJson(new TextDecoder().decode(body)));
    return type === 'url_verification' ? (textOf(challenge) ?? null) : null;
  },

  /** What a person wrote in a thread, also where the channel was shown it; bots, edits and joins are none. */
  readReplies(body) {
    const parsed = recordOf(parseJson(new TextDecoder().decode(body)));
    const event = recordOf(parsed['event']);
    const eventId = textOf(parsed['event_id']);
    const [channel, thread, text, user] = ['channel', 'thread_ts', 'text', 'user'].map((name) =>
      textOf(event[name]),
    );
    if (parsed['type'] !== 'event_callback' || event['type'] !== 'message') return [];
    if (event['bot_id'] !== undefined || !WRITTEN.has(event['subtype'])) return [];
    if (!eventId || !channel || !thread || !user || thread === textOf(event['ts'])) return [];
    const hasFiles = Array.isArray(event['files']) && event['files'].length > 0;
    if (!text && !hasFiles) return [];
    return [{ id: eventId, target: channel, thread, text: unescapeSlack(text ?? ''), hasFiles }];
  },
};
