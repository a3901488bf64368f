import { sendObstacles } from '@app/domain/templates/platform-status';
import { languageObstacles } from '@app/domain/templates/template-languages';
import { z } from 'zod';
import { id, instant } from '../endpoint.ts';

/** Who will get a message, who is left out and why, what it costs and how long it takes. */
export const preflight = z.object({
  chosen: z.number(),
  receiving: z.number(),
  blocked: z.number(),
  optedOut: z.number(),
  withoutNumber: z.number(),
  windowClosed: z.number(),
  held: z.number(),
  /** Left out because they got as many promotional messages as their country allows. */
  promotionsCapped: z.number(),
  doubled: z.number(),
  estimatedCost: z.number(),
  priceCurrency: z.string(),
  /** What may still be spent this month; null without a budget, and where nothing is charged. */
  budgetLeft: z.number().nullable(),
  /**
   * Until the last one left, by the rate of the number, the limits, quiet hours and what else leaves through it; null when nobody can
   * tell, such as when the budget does not last.
   */
  estimatedSeconds: z.number().nullable(),
  finishesAt: instant.nullable(),
  /** Who gets which language of a template that is sent in each contact's own; null for any other message. */
  languages: z
    .object({
      /** What everybody else gets. */
      main: z.string(),
      /** The main one first; those of whom no language is known are counted there. */
      counts: z.array(z.object({ language: z.string(), count: z.number() })),
      withoutLanguage: z.number(),
      /** Languages of the template that nobody gets now: not approved, of another category, or with placeholders that the main one has not. */
      leftOut: z.array(z.object({ language: z.string(), reason: z.enum(languageObstacles) })),
    })
    .nullable(),
  /** Of those who would get it: whom it does not reach because of their own values, unless that is allowed (`allowMissingValues`). */
  valueProblems: z.array(
    z.object({
      kind: z.enum(['missing', 'too_long']),
      /** That has no value. */
      placeholder: z.string().nullable(),
      count: z.number(),
      /** The first of them; none for who may not see contacts. */
      people: z.array(z.object({ contactId: id, name: z.string() })),
    }),
  ),
  messagesPerSecond: z.number(),
  /** What all of this speaks of: where it would leave now. */
  number: z.object({ id, name: z.string() }).nullable(),
  /** Set when nothing can be sent at all now; `template_elsewhere`: the number is of an account that has none of the templates. */
  obstacle: z
    .enum([
      'not_connected',
      'chosen_number_off',
      'channel_stopped',
      'template_elsewhere',
      'template_not_approved',
      'content_not_active',
      'content_elsewhere',
      'content_file_gone',
      'segment_deleted',
    ])
    .nullable(),
  /** Of a template what keeps it from being sent now, beside `template_not_approved`. */
  templateObstacle: z.enum(sendObstacles).nullable(),
  /** Segments of the audience that were deleted since they were chosen; nobody is counted for them. */
  deletedSegmentIds: z.array(id),
});
