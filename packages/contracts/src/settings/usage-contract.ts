import { planIds } from '@app/domain/settings/plan-usage';
import { z } from 'zod';
import { instant } from '../endpoint.ts';

const level = z.enum(['fine', 'near', 'full']);
const use = z.object({ used: z.number(), most: z.number().nullable(), level });

export const planChoice = z.enum(planIds);

export const usage = z.object({
  /** The first day of the month that is counted, by the clocks of the workspace. */
  month: z.iso.date(),
  timeZone: z.string(),
  plan: z.object({
    id: planChoice,
    trialEndsAt: instant.nullable(),
    isTrialOver: z.boolean(),
    /** Of campaigns and bulk messages, in this month. */
    messages: use,
    contacts: use,
  }),
  /** Null while it is switched off. */
  budget: z
    .object({
      perMonth: z.number(),
      used: z.number(),
      left: z.number(),
      currency: z.string(),
      /** `full` too while a campaign waits for more than is left. */
      level,
      /** Nothing before it is counted; null while nothing was. */
      countedFrom: instant.nullable(),
    })
    .nullable(),
});
