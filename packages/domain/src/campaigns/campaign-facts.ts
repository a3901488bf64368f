import { defineFact, type LiveSign } from '../events/fact-definition.ts';
import { flag, oneOf, orNull, text, whole } from '../events/fact-values.ts';

const ofCampaign: LiveSign = { topic: 'campaigns', payload: ({ subject }) => ({ campaignId: subject }) };

const common = {
  version: 1,
  subject: 'campaign',
  values: { name: text },
  live: [ofCampaign],
  forWebhooks: true,
} as const;

const changed = { type: 'update', resource: 'campaigns' } as const;
const sent = { type: 'send', resource: 'campaigns' } as const;

/** What becomes of a test message stands in the log alone: no campaign changes. */
const ofTest = {
  version: 1,
  subject: 'channel',
  values: {},
  live: [],
  forWebhooks: false,
} as const;

export const campaignFacts = {
  'campaign.created': defineFact({ ...common, audit: { type: 'create', resource: 'campaigns' } }),
  'campaign.updated': defineFact({ ...common, audit: changed }),
  'campaign.deleted': defineFact({ ...common, audit: { type: 'delete', resource: 'campaigns' } }),
  /** By a person, or because its time had come. */
  'campaign.started': defineFact({
    ...common,
    values: { ...common.values, isScheduled: flag },
    audit: sent,
  }),
  /** Before anything left: it is again what it was before its start. */
  'campaign.start_taken_back': defineFact({ ...common, audit: changed }),
  /** Its time had come, and it could not begin: it pauses and says why. */
  'campaign.start_failed': defineFact({
    ...common,
    values: { ...common.values, reason: text },
    audit: sent,
  }),
  'campaign.paused': defineFact({ ...common, audit: changed }),
  'campaign.resumed': defineFact({ ...common, audit: sent }),
  'campaign.cancelled': defineFact({ ...common, audit: changed }),
  /** It waits until its quiet hours end, and goes on by itself. */
  'campaign.quiet_hours_began': defineFact({
    ...common,
    values: { ...common.values, resumeAt: text },
    audit: null,
  }),
  /** Everybody has their outcome, as far as this machine can tell; reports of delivery come later. */
  'campaign.completed': defineFact({
    ...common,
    values: { total: whole, sent: whole, failed: whole, cancelled: whole, unknown: whole },
    audit: null,
  }),
  /** The engine paused it, went on with it or closed it; `reason` of a pause. */
  'campaign.run_changed': defineFact({
    ...common,
    values: { state: text, reason: orNull(text) },
    audit: null,
  }),
  /** The subject is the new campaign for those whom `retryOf` did not reach. */
  'campaign.failed_retried': defineFact({ ...common, values: { retryOf: text }, audit: sent }),
  'campaign.unknown_decided': defineFact({
    ...common,
    values: { ...common.values, decision: oneOf(['send_again', 'mark_sent']), resolved: whole },
    audit: changed,
  }),
  /** All people of its A/B test had their time. The winner is on its way, or a person decides. */
  'campaign.test_ended': defineFact({
    ...common,
    values: { ...common.values, outcome: oneOf(['winner', 'too_few', 'no_difference']) },
    audit: null,
  }),
  /** A person decided which variant the remaining contacts get: A, B, C or D. */
  'campaign.variant_chosen': defineFact({
    ...common,
    values: { ...common.values, variant: text },
    audit: sent,
  }),
  'campaign.results_exported': defineFact({
    ...common,
    audit: { type: 'download', resource: 'campaigns' },
    live: [],
  }),
  /** Before it leaves, so that none leaves unseen. */
  'test_message.begun': defineFact({ ...ofTest, audit: sent }),
  'test_message.refused': defineFact({ ...ofTest, audit: changed }),
  'test_message.lost': defineFact({ ...ofTest, audit: changed }),
  'test_message.not_sent': defineFact({ ...ofTest, audit: changed }),
};
