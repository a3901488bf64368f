import type { TableRules } from '../table-rules.ts';

export const platformTableRules = {
  live_events: {
    noContacts: 'ids for open browsers, for some minutes',
    archive: { how: 'leave-out', because: 'what open pages hear; they read anew' },
    clear: { how: 'keep', because: 'open pages hear of this' },
  },
  event_consumers: {
    noContacts: 'how far whom has read',
    isOfInstallation: true,
  },
  job_schedules: {
    noContacts: 'times',
    isOfInstallation: true,
  },
  'jobs.job': {
    noContacts: 'ids and figures of work in the background, kept for a day, or a month where it failed',
    isOfInstallation: true,
  },
  'jobs.version': {
    noContacts: 'of the queue itself',
    isOfInstallation: true,
  },
  'jobs.queue': {
    noContacts: 'of the queue itself',
    isOfInstallation: true,
  },
  'jobs.schedule': {
    noContacts: 'of the queue itself',
    isOfInstallation: true,
  },
  'jobs.subscription': {
    noContacts: 'of the queue itself',
    isOfInstallation: true,
  },
  'jobs.bam': {
    noContacts: 'of the queue itself',
    isOfInstallation: true,
  },
  'jobs.warning': {
    noContacts: 'of the queue itself',
    isOfInstallation: true,
  },
  'jobs.queue_stats': {
    noContacts: 'of the queue itself',
    isOfInstallation: true,
  },
  'jobs.job_dependency': {
    noContacts: 'of the queue itself',
    isOfInstallation: true,
  },
  'drizzle.__drizzle_migrations': {
    noContacts: 'which migrations were applied',
    isOfInstallation: true,
  },
  activities: {
    archive: { how: 'stay', because: 'the log tells what happened here, and that an archive was read in' },
    clear: { how: 'keep', because: 'the log says who cleared everything' },
  },
  activity_subjects: {
    archive: { how: 'stay', because: 'the log' },
    clear: { how: 'keep', because: 'the log' },
  },
  events: {
    archive: { how: 'leave-out', because: 'what happened is told once, where it happened; the log has it' },
    clear: { how: 'keep', because: 'what happened is told to the end, and goes after a month' },
  },
  fact_dead_letters: {
    archive: { how: 'leave-out', because: 'what a part of the product has yet to hear' },
    clear: { how: 'keep', because: 'what a part of the product has yet to hear' },
  },
  idempotency_keys: {
    archive: { how: 'leave-out', because: 'answers to acts of this installation' },
    clear: { how: 'keep', because: 'the same act again is still the same' },
  },
  operations: {
    archive: { how: 'leave-out', because: 'what is under way is so in one installation' },
    clear: { how: 'keep', because: 'this is one' },
  },
  operation_parts: {
    archive: { how: 'leave-out', because: 'files of acts go by their time' },
    clear: { how: 'keep', because: 'files of acts go by their time' },
  },
  suppression_list: {
    archive: {
      how: 'stay',
      because: 'what was said against marketing here is recalled; hashes of elsewhere mean nothing here',
    },
    clear: { how: 'keep', because: 'who wants no marketing wants none after this either' },
  },
  erased_people: {
    archive: {
      how: 'stay',
      because: 'who was erased here stays erased; hashes of elsewhere mean nothing here',
    },
    clear: { how: 'keep', because: 'nobody who was erased comes back by an import' },
  },
} as const satisfies TableRules;
