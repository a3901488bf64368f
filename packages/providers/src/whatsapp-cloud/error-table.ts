import type { RejectionAction } from '@app/domain/messaging/rejection';

export type ErrorRule = {
  action: RejectionAction;
  /** What the refusal says something about. */
  scope: 'message' | 'recipient' | 'template' | 'number' | 'account' | 'management';
};

const fail: RejectionAction = { kind: 'fail' };
const optOut: RejectionAction = { kind: 'opt_out' };
const unreachable: RejectionAction = { kind: 'unreachable' };
const stopAll: RejectionAction = { kind: 'stop_channel', blocks: 'everything' };
const stopCampaigns: RejectionAction = { kind: 'stop_channel', blocks: 'campaigns' };
const templateUnusable: RejectionAction = { kind: 'stop_campaign', recipient: 'requeued' };
const templatesUnusable: RejectionAction = { ...templateUnusable, ofAccount: true };

function retry(
  maxAttempts: number,
  afterMs?: number,
  pauses: 'recipient' | 'channel' = 'recipient',
): RejectionAction {
  return afterMs === undefined
    ? { kind: 'retry', maxAttempts, pauses }
    : { kind: 'retry', maxAttempts, pauses, afterMs };
}

function rule(scope: ErrorRule['scope'], action: RejectionAction): ErrorRule {
  return { scope, action };
}

const minute = 60_000;

/**
 * Cloud API error codes and what the sender does about each. The words for people are in the domain, by the same codes.
 * Vendor page: developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes
 */
export const whatsappErrorTable: ReadonlyMap<string, ErrorRule> = new Map(
  Object.entries({
    '0': rule('account', stopAll),
    '1': rule('message', retry(3)),
    '2': rule('message', retry(10)),
    '3': rule('account', stopAll),
    '4': rule('account', retry(20, 2 * minute, 'channel')),
    '10': rule('account', stopAll),
    '17': rule('account', retry(20, 2 * minute, 'channel')),
    '33': rule('number', stopAll),
    '100': rule('message', fail),
    '104': rule('account', stopAll),
    '190': rule('account', stopAll),
    '368': rule('account', stopAll),
    '613': rule('account', retry(10, minute)),
    '80007': rule('account', retry(20, 5 * minute, 'channel')),
    '80008': rule('account', retry(20, 5 * minute, 'channel')),
    '130403': rule('recipient', fail),
    '130429': rule('number', { kind: 'lower_rate' }),
    '130472': rule('recipient', fail),
    '130497': rule('recipient', fail),
    '131000': rule('message', retry(3)),
    '131005': rule('account', stopAll),
    '131008': rule('message', fail),
    '131009': rule('message', fail),
    '131016': rule('message', retry(10)),
    '131021': rule('recipient', fail),
    '131026': rule('recipient', unreachable),
    '131030': rule('recipient', fail),
    '131031': rule('account', stopAll),
    '131037': rule('number', stopAll),
    '131042': rule('account', stopCampaigns),
    '131045': rule('number', stopAll),
    '131047': rule('recipient', fail),
    '131048': rule('number', stopCampaigns),
    '131049': rule('recipient', { kind: 'hold_recipient', hours: 24 }),
    '131050': rule('recipient', optOut),
    '131051': rule('message', fail),
    '131052': rule('message', fail),
    '131053': rule('message', fail),
    '131055': rule('template', fail),
    '131056': rule('recipient', { kind: 'retry_pair', baseSeconds: 4 }),
    '131057': rule('account', retry(10, minute, 'channel')),
    '131059': rule('management', fail),
    '131060': rule('message', fail),
    '131061': rule('template', templateUnusable),
    '131062': rule('recipient', fail),
    '131063': rule('account', templatesUnusable),
    '131064': rule('account', templatesUnusable),
    '132000': rule('message', fail),
    '132001': rule('template', templateUnusable),
    '132005': rule('message', fail),
    '132007': rule('message', fail),
    '132008': rule('message', fail),
    '132012': rule('message', fail),
    '132015': rule('template', templateUnusable),
    '132016': rule('template', templateUnusable),
    '132018': rule('message', fail),
    '132068': rule('template', fail),
    '132069': rule('template', fail),
    '133000': rule('number', retry(3, minute)),
    '133004': rule('message', retry(10)),
    '133005': rule('management', fail),
    '133006': rule('management', fail),
    '133008': rule('management', fail),
    '133009': rule('management', fail),
    '133010': rule('number', stopAll),
    '133015': rule('management', fail),
    '133016': rule('management', fail),
    '134011': rule('account', fail),
    '134100': rule('template', fail),
    '134101': rule('template', retry(3, 10 * minute)),
    '134102': rule('template', fail),
    '135000': rule('message', fail),
    '136024': rule('management', fail),
    '136025': rule('management', fail),
    '137000': rule('recipient', fail),
    '139100': rule('management', fail),
    '139101': rule('management', fail),
    '139102': rule('management', retry(3)),
    '139103': rule('management', retry(3)),
    '139200': rule('message', fail),
    '2388019': rule('management', fail),
    '2388024': rule('management', fail),
    '2388039': rule('management', fail),
    '2388040': rule('management', fail),
    '2388047': rule('management', fail),
    '2388072': rule('management', fail),
    '2388073': rule('management', fail),
    '2388293': rule('management', fail),
    '2388299': rule('management', fail),
    '2388318': rule('management', fail),
    '2388330': rule('management', fail),
  }),
);

const permissionRule = rule('account', stopAll);

/** The rule for a code, or undefined when the vendor's documents do not list it. 200–299 are all missing permissions. */
export function findErrorRule(code: string): ErrorRule | undefined {
  return whatsappErrorTable.get(code) ?? (/^2\d\d$/.test(code) ? permissionRule : undefined);
}

/** What to do about a code; an unlisted one is final for its message. */
export function decideErrorAction(code: string): RejectionAction {
  return findErrorRule(code)?.action ?? fail;
}

/** Whether the same call may succeed later without anybody changing anything. */
export function isRetryableCode(code: string): boolean {
  const kind = findErrorRule(code)?.action.kind;
  return kind === 'retry' || kind === 'retry_pair' || kind === 'lower_rate';
}
