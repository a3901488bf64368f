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

export function wordOf(name) {
  return Object.values(SWITCHES).find((words) => name in words)?.[name] ?? name;
}

export function wordOfOption(name, option) {
  if (typeof option === 'boolean') return option ? 'yes' : 'no';
  return ofOption[name]?.[option] ?? String(option);
}
