import { quietHours } from './quiet-hours.ts';

/** Nobody sends at night because a program did not think of it. */
export const chosenQuietHours = quietHours
  .nullable()
  .optional()
  .describe('Hours in which nothing leaves. Left out, those of the workspace; null, none.');
