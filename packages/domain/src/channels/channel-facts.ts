import { accountVerdicts } from './account-verdict.ts';
import { connectionProblems } from './channel-connector.ts';
import { defineFact } from '../events/fact-definition.ts';
import { listOf, oneOf, orNull, text } from '../events/fact-values.ts';
import { numberHealths, qualities } from './number-standing.ts';

const changed = {
  version: 1,
  subject: 'channel',
  audit: { type: 'update', resource: 'channels' },
  live: [{ topic: 'channels' }],
  forWebhooks: true,
} as const;

export const channelFacts = {
  /** A number or agent was connected, for the first time or again. */
  'channel.connected': defineFact({ ...changed, values: { name: text } }),
  /** Nothing leaves through it until somebody connects it again. */
  'channel.disconnected': defineFact({ ...changed, values: { name: text } }),
  /** What opens it, or how it sends: the names of what is another now, never a value. */
  'channel.changed': defineFact({ ...changed, values: { name: text, fields: listOf(text) } }),
  /** The platform or the engine stopped it: nothing, or no campaign, leaves through it until its trouble is mended. */
  'channel.stopped': defineFact({ ...changed, audit: null, values: { name: text, code: text } }),
  /** What the platform says against what opens it is another than before: `none` when nothing. */
  'channel.checked': defineFact({
    version: 1,
    subject: 'channel',
    values: {
      problem: oneOf(['none', ...connectionProblems]),
      problemBefore: oneOf(['none', ...connectionProblems]),
    },
    audit: null,
    live: [{ topic: 'channels' }],
    forWebhooks: false,
  }),
  /** What the platform decided about the account of its numbers; the subject is one of them. */
  'channel.account_judged': defineFact({
    ...changed,
    values: { account: text, verdict: oneOf(accountVerdicts) },
    audit: null,
  }),
  /** The platform thinks otherwise of it than before; null for what nobody knew. */
  'channel.rated': defineFact({
    ...changed,
    values: {
      name: text,
      ...{ quality: oneOf(qualities), qualityBefore: orNull(oneOf(qualities)) },
      ...{ health: orNull(oneOf(numberHealths)), healthBefore: orNull(oneOf(numberHealths)) },
    },
    audit: null,
  }),
  /** Somebody let a stopped number send again. */
  'channel.resumed': defineFact({
    version: 1,
    subject: 'channel',
    values: {},
    audit: { type: 'update', resource: 'channels' },
    live: [{ topic: 'channels' }],
    forWebhooks: true,
  }),
};
