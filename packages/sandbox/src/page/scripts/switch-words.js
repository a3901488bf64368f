/** What each switch is called, in groups. Its name in `POST /_sandbox/whatsapp/behaviour` stands in its tooltip. */
export const SWITCHES = {
  'What becomes of messages': {
    deliveredRate: 'Delivered (share of 1)',
    readRate: 'Read, of the delivered (share of 1)',
    failRate: 'Fail after they were accepted (share of 1)',
    failCode: 'With this error code',
    statusDelayMs: 'Milliseconds until “sent”; empty as usual',
    duplicateRate: 'Webhooks that come twice (share of 1)',
    reorder: 'Webhooks that come out of order (share of 1)',
  },
  'How messages are taken': {
    latencyMs: 'Milliseconds to an answer: one, or least,most',
    throughputMps: 'Messages a second and number; 0 without limit',
    throughputLeeway: 'Let through above that (share of 1)',
    throttleStatus: 'HTTP status of too many',
    pairLimit: 'Limit of messages to one person',
    windowError: 'Free text outside the 24 hours',
    usMarketingBlocked: 'Marketing to numbers of the US is blocked',
    record: 'Keep the messages, to be seen here',
    seed: 'Seed of all chances',
  },
  'How webhooks come': {
    statusBatch: 'Statuses in one, at most',
    webhookConcurrency: 'At a time',
    webhookTimeoutMs: 'Milliseconds that an answer may take',
    webhookRetryBaseMs: 'Milliseconds to the second attempt',
    webhookRetryCapMs: 'Milliseconds between attempts, at most',
    webhookSignature: 'Signature',
    webhookVersion: 'Version',
    pricingEra: 'Prices as of',
  },
  'Templates, access and limits': {
    reviewDelayMs: 'Milliseconds that a review takes',
    templatesPerHour: 'New templates an hour; 0 without limit',
    managementCallsPerHour: 'Calls of management an hour; 0 without limit',
    oldestVersion: 'Oldest version of the API',
    newestVersion: 'Newest version of the API',
    tokenProblem: 'Access token',
    appSecretChanged: 'The app has a new secret',
    numbersElsewhere: 'Numbers belong to another account',
  },
};

const ofOption = {
  windowError: { async: 'accepted, then failed', sync: 'refused at once', off: 'allowed' },
  webhookSignature: { valid: 'right', wrong: 'wrong', missing: 'missing' },
  tokenProblem: {
    none: 'valid',
    expired: 'expired',
    revoked: 'revoked',
    'no-permission': 'lacks a permission',
  },
};

export const TEMPLATE_STATES = {
  ...{ APPROVED: 'approved', PENDING: 'in review', REJECTED: 'rejected' },
  ...{ PAUSED: 'paused for quality', DISABLED: 'disabled for good' },
};
export const CATEGORIES = { MARKETING: 'Marketing', UTILITY: 'Utility', AUTHENTICATION: 'Authentication' };

const FAULTS = {
  cut: 'is cut off before an answer',
  'accept-then-cut': 'is done, and cut off before its answer',
  hang: 'never gets an answer',
  garbage: 'is answered with garbage',
};
const MANY_FAULTS = {
  cut: 'are cut off before an answer',
  'accept-then-cut': 'are done, and cut off before their answers',
  hang: 'never get an answer',
  garbage: 'are answered with garbage',
};
/** What the product asks for by a call, as the page offers it. */
const ENDPOINTS = {
  ...{ messages: 'that sends a message', media: 'for a file', message_templates: 'for templates' },
  ...{ phone_numbers: 'for the numbers of an account', subscribed_apps: 'for webhooks' },
  ...{ whatsapp_business_profile: 'for a business profile', register: 'that registers a number' },
  ...{ node: 'for one thing by its id', '*': 'of any kind' },
};

/** A fault that waits for its calls, as a sentence. */
export function wordOfFault({ kind, code, remaining, endpoint }, title) {
  const of = ENDPOINTS[endpoint] ?? `to ${endpoint}`;
  const isOne = remaining === 1;
  const calls = isOne
    ? `The next call ${of}`
    : `The next ${remaining} calls ${of.replace(/^that (\w+)s /, 'that $1 ')}`;
  const error = `${isOne ? 'is' : 'are'} answered with error ${code}${title ? ` (${title})` : ''}`;
  return `${calls} ${kind === 'error' ? error : (isOne ? FAULTS : MANY_FAULTS)[kind]}.`;
}

export function wordOf(name) {
  return Object.values(SWITCHES).find((words) => name in words)?.[name] ?? name;
}

export function wordOfOption(name, option) {
  if (typeof option === 'boolean') return option ? 'yes' : 'no';
  return ofOption[name]?.[option] ?? String(option);
}
