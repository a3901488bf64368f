import { recipientOutcomes } from '@app/domain/campaigns/recipient-outcome';
import { mostRestDays } from '@app/domain/delivery/audience';
import { z } from 'zod';
import { id } from '../endpoint.ts';
import { isOfCampaign, noCampaign } from './campaign-people.ts';
import { contactLanguage } from './contact-language.ts';
import { reportPeople } from './report-people.ts';
import { segmentRules } from '../segments/segments-contract.ts';

const contactIds = z.array(id).max(100_000).readonly();

const audienceFilter = z
  .strictObject({
    search: z.string().max(200).optional(),
    tags: z.array(z.string().max(100)).max(100).readonly().optional(),
    status: z.enum(['active', 'blocked']).optional(),
    /** With all of its regions unless one is named; `none` for people of whom nobody said it. */
    language: contactLanguage.optional(),
    /** Whom an import added, or found here. */
    importId: id.optional(),
    /** Recipients of a campaign, of one outcome, and for one reason (`none` where it has no code). */
    campaignId: id.optional(),
    outcome: z.enum(recipientOutcomes).optional(),
    reason: z.string().min(1).max(100).optional(),
    /** The people behind a number of a report. */
    report: reportPeople.optional(),
    /** Rules of one's own, in the form that segments have. */
    rules: segmentRules.optional(),
  })
  .refine(isOfCampaign, noCampaign);

/** A saved segment stands alone: whoever belongs to it when sending starts gets the campaign. */
const plannedFilter = z.union([z.strictObject({ segmentId: id }), audienceFilter]);

const leftOut = {
  /** Whoever has one of these tags, or belongs to one of these segments when sending starts, is not meant. */
  except: z
    .array(
      z.union([
        z.strictObject({ segmentId: id }),
        z.strictObject({ tags: z.array(z.string().min(1).max(100)).min(1).max(100).readonly() }),
      ]),
    )
    .max(20)
    .readonly()
    .optional(),
  /** Nor is who got a campaign within so many days, today among them, or is about to get one that was started. */
  restDays: z.int().min(1).max(mostRestDays).optional(),
};

export const chosenAudience = z.union([
  z.strictObject({ contactIds, ...leftOut }),
  z.strictObject({ filter: plannedFilter, excludedIds: contactIds.optional(), ...leftOut }),
  z.strictObject({
    ...leftOut,
    anyOf: z.array(plannedFilter).min(1).max(20).readonly(),
    contactIds: contactIds.optional(),
    excludedIds: contactIds.optional(),
  }),
]);

/** The failed of another campaign are chosen by nobody: a retry has them, and its own checks see that they get nothing twice. */
export const audience = z.union([chosenAudience, z.strictObject({ failedOf: id })]);
