import { readEmailAddress } from '@app/domain/contacts/contact';
import { isTimeZone } from '@app/domain/campaigns/quiet-hours';
import {
  businessCategories,
  generalLimits,
  readBusinessName,
  readWebsite,
  weekStarts,
} from '@app/domain/settings/general-settings';
import { interfaceLanguages } from '@app/domain/text/interface-language';
import { z } from 'zod';
import { endpoint, versioned } from '../endpoint.ts';

/** What is longer than the platform takes is refused, not cut. */
const words = (longest: number) => z.string().max(1000).trim().pipe(z.string().max(longest));

const general = z.strictObject({
  businessName: z
    .string()
    .max(1000)
    .transform(readBusinessName)
    .pipe(z.string().max(generalLimits.businessName)),
  category: z.enum(businessCategories),
  about: words(generalLimits.about),
  address: words(generalLimits.address),
  description: words(generalLimits.description),
  email: words(generalLimits.email).refine(
    (text) => text === '' || readEmailAddress(text) === text,
    'This is no e-mail address.',
  ),
  websites: z
    .array(
      z
        .string()
        .max(1000)
        .transform((typed) => readWebsite(typed) ?? '')
        .pipe(z.string().min(1, 'A website begins with http:// or https://.')),
    )
    .max(generalLimits.websites),
  timeZone: z.string().max(64).refine(isTimeZone, 'This is no time zone.'),
  language: z.enum(interfaceLanguages),
  weekStartsOn: z.literal(weekStarts),
});

const version = z.number().int().min(0).max(2_000_000_000);

export const settingsContract = {
  getGeneral: endpoint({
    method: 'GET',
    path: '/settings/general',
    access: 'settings:read',
    summary: 'What the workspace says of itself, and how it reckons',
    input: z.object({}),
    output: general.extend({ version }),
  }),
  updateGeneral: endpoint({
    method: 'PUT',
    path: '/settings/general',
    access: 'settings:manage',
    repeat: versioned,
    summary: 'Changes what the workspace says of itself; what is not named stays',
    input: general.partial().extend({ version }),
    output: general.extend({ version }),
    errors: ['settings_changed'],
  }),
};
