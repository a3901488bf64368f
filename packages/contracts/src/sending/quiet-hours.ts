import { isTimeZone } from '@app/domain/campaigns/quiet-hours';
import { z } from 'zod';

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

/** Hours in which nothing is sent, on the clocks of a zone; they may go over midnight. */
export const quietHours = z.strictObject({
  from: timeOfDay,
  to: timeOfDay,
  timeZone: z.string().max(64).refine(isTimeZone, 'This is no time zone.'),
});
