/**
 * How far a file of a message has come. `waiting` and `fetching`: the platform has it. `expired`: the platform has it no more. `failed`: it could not
 * be fetched, and a person may have it tried again. `too_large` and `refused`: its size, or what it is, is nothing that we keep.
 */
export const fileStates = [
  'waiting',
  'fetching',
  'stored',
  'expired',
  'removed',
  'failed',
  'too_large',
  'refused',
] as const;
export type FileState = (typeof fileStates)[number];

export const fileKinds = ['image', 'video', 'audio', 'document', 'sticker'] as const;
