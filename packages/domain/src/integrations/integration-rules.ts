import type { FieldMapping } from './contact-connector.ts';

/** What a card shows. `syncing` is a connection with a run under way. */
export const integrationStatuses = ['connected', 'disconnected', 'error', 'syncing'] as const;

export const syncFrequencies = ['realtime', 'hourly', 'daily', 'weekly'] as const;
export type SyncFrequency = (typeof syncFrequencies)[number];

export const syncTriggers = ['preview', 'person', 'schedule', 'event', 'retry'] as const;
export type SyncTrigger = (typeof syncTriggers)[number];

export const runStatuses = ['running', 'waiting', 'done', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof runStatuses)[number];

/** Steps of a run, in their order. Each goes on where it was when a process ended. */
export const runPhases = ['retry', 'pull', 'apply', 'items', 'push'] as const;
export type RunPhase = (typeof runPhases)[number];

/** What a run counts, each record once under each name. */
export const runCounts = [
  ...(['read', 'created', 'updated', 'linked', 'unchanged', 'removed', 'skipped', 'failed'] as const),
  /** `filtered`: the filter leaves them out. */
  'filtered',
  /** `held`: there is no room for more contacts. */
  ...(['held', 'optedOut', 'sent', 'sentNew', 'sendFailed'] as const),
] as const;
export type RunCount = (typeof runCounts)[number];
export type RunCounts = Record<RunCount, number>;

export const noCounts = (): RunCounts => ({
  ...{ read: 0, created: 0, updated: 0, linked: 0, unchanged: 0, removed: 0, skipped: 0, failed: 0 },
  filtered: 0,
  ...{ held: 0, optedOut: 0, sent: 0, sentNew: 0, sendFailed: 0 },
});

/** Why one record was left as it was. Its neighbours go on. */
export const recordErrors = [
  'phone_missing',
  'phone_invalid',
  'phone_shared',
  'phone_taken',
  'email_shared',
  'email_other_number',
  'contact_linked',
  'contact_erased',
  'value_invalid',
  'vendor_rejected',
] as const;
export type RecordError = (typeof recordErrors)[number];

export const integrationLimits = {
  mapping: 60,
  fieldName: 120,
  /** Records of one step: one transaction each. */
  step: 100,
  sample: 10,
  /** Runs that failed in a row before the card shows an error. */
  failures: 5,
  /** Runs and their figures are kept so long, in days. */
  runDays: 90,
} as const;

const SECOND = 1000;
/** Real time: the vendor's webhooks where it has some, and a look at least so often. */
const EVERY: Record<SyncFrequency, number> = {
  realtime: 5 * 60 * SECOND,
  hourly: 3_600 * SECOND,
  daily: 86_400 * SECOND,
  weekly: 7 * 86_400 * SECOND,
};

/** When the next run begins by itself. After failures the pause doubles, up to an hour or the usual pause, whichever is longer. */
export function nextRunAt(frequency: SyncFrequency, now: Date, failures = 0): Date {
  const usual = EVERY[frequency];
  if (failures === 0) return new Date(now.getTime() + usual);
  const pause = Math.min(60 * SECOND * 2 ** Math.min(failures - 1, 10), 3_600 * SECOND);
  return new Date(now.getTime() + Math.min(Math.max(pause, 60 * SECOND), Math.max(usual, pause)));
}

/** Our fields that can be mapped, custom fields apart. */
export const mappableFields = ['name', 'phone', 'email', 'language', 'opt_out'] as const;

export type MappingProblem =
  | 'phone_needed'
  | 'name_needed'
  | 'field_twice'
  | 'field_unknown'
  | 'direction_unavailable'
  | 'opt_out_fixed';

/** Null for a mapping that works. `customKeys` are the keys of the custom fields that there are; a service that `isReadOnly` takes no values. */
export function checkMapping(
  mapping: readonly FieldMapping[],
  {
    customKeys,
    optOutField,
    isReadOnly = false,
  }: { customKeys: readonly string[]; optOutField: string | undefined; isReadOnly?: boolean | undefined },
): { problem: MappingProblem; field: string } | null {
  const known = [...mappableFields, ...customKeys.map((key) => `custom.${key}`)];
  for (const { ours, theirs, direction } of mapping) {
    if (isReadOnly && direction !== 'in') return { problem: 'direction_unavailable', field: ours };
    if (!known.includes(ours)) return { problem: 'field_unknown', field: ours };
    if (mapping.filter((one) => one.ours === ours).length > 1) return { problem: 'field_twice', field: ours };
    if (mapping.filter((one) => one.theirs === theirs).length > 1)
      return { problem: 'field_twice', field: theirs };
    // Any other field of the vendor may say yes to something else.
    if ((ours === 'opt_out') !== (theirs === optOutField)) return { problem: 'opt_out_fixed', field: ours };
  }
  if (!mapping.some(({ ours }) => ours === 'phone')) return { problem: 'phone_needed', field: 'phone' };
  if (!mapping.some(({ ours }) => ours === 'name')) return { problem: 'name_needed', field: 'name' };
  // Consent is no choice: an opt-out of either side always holds on both.
  const optOut = mapping.find(({ ours }) => ours === 'opt_out');
  if (optOutField !== undefined && optOut?.direction !== 'both')
    return { problem: 'opt_out_fixed', field: 'opt_out' };
  return null;
}
