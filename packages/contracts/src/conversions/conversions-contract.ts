import { conversionLimits, conversionSources } from '@app/domain/conversions/conversion-settings';
import { linkPlaces } from '@app/domain/links/rewrite-links';
import { z } from 'zod';
import { endpoint, id, instant, page, pageInput, versioned } from '../endpoint.ts';

const { least, most } = conversionLimits.windowDays;

const settings = z.strictObject({
  /** Days after a click within which a conversion belongs to it. */
  windowDays: z.number().int().min(least).max(most),
  /** Whether links of new messages lead through the product and are counted. */
  countsLinks: z.boolean(),
});
export const conversionSettings = settings.extend({
  version: z.number(),
  /** What stands in front of the codes of counted links: a template button that is approved with it and a placeholder is counted. */
  base: z.string(),
});

export const conversion = z.object({
  id,
  /** Null where the contact was erased. */
  contactId: id.nullable(),
  source: z.enum(conversionSources),
  /** Of the caller, or the order of the shop: each counts once. */
  externalId: z.string(),
  name: z.string(),
  /** In units of `currency`; null for a conversion without a value. */
  value: z.number().nullable(),
  currency: z.string().nullable(),
  /** Whether the value is part of the revenue: it is in the currency of the workspace. Nothing is converted. */
  isInRevenue: z.boolean(),
  occurredAt: instant,
  /** An order that was cancelled or refunded counts no more. */
  isCancelled: z.boolean(),
  /** The last click before it within the attribution window; null where there was none. */
  clickedAt: instant.nullable(),
  campaignId: id.nullable(),
});

/** Values that are not part of the revenue, by their currencies. */
const otherValues = z.array(z.object({ currency: z.string(), value: z.number(), conversions: z.number() }));

export const conversionFigures = z.object({
  /** Different contacts with a conversion. */
  converted: z.number(),
  conversions: z.number(),
  revenue: z.number(),
  /** Of the revenue: that of the workspace. */
  currency: z.string(),
  notCounted: otherValues,
});

export const conversionsContract = {
  record: endpoint({
    method: 'POST',
    path: '/conversions',
    access: 'contacts:update',
    forKeys: {
      example: {
        ...{ phone: '+447700900201', externalId: 'order-1001', name: 'Order', value: 42.5, currency: 'USD' },
      },
    },
    repeat: 'keyed',
    summary:
      'Records what a contact did that a message was for, such as an order; it belongs to their last click before it',
    input: z
      .strictObject({
        /** Whom it is about: exactly one of these three. */
        contactId: id.optional(),
        phone: z.string().trim().min(1).max(40).optional(),
        /** Their id at a connected service, such as a shop. */
        serviceId: z.string().trim().min(1).max(conversionLimits.externalId).optional(),
        /** Your id of it, such as an order number: the same one is recorded once. Left out, each request is one. */
        externalId: z.string().trim().min(1).max(conversionLimits.externalId).optional(),
        name: z.string().trim().max(conversionLimits.name).default(''),
        /** In units of `currency`, with up to four decimals. */
        value: z.number().min(0).max(conversionLimits.value).multipleOf(0.0001).optional(),
        currency: z
          .string()
          .regex(/^[A-Z]{3}$/)
          .optional(),
        /** When it happened; left out, now. */
        occurredAt: instant.optional(),
      })
      .refine(
        ({ contactId, phone, serviceId }) =>
          [contactId, phone, serviceId].filter((one) => one !== undefined).length === 1,
        {
          path: ['contactId'],
          message: 'Name the contact by exactly one of contactId, phone and serviceId.',
        },
      )
      .refine(({ value, currency }) => (value === undefined) === (currency === undefined), {
        path: ['currency'],
        message: 'A value has a currency, and a currency has a value.',
      }),
    /** `isNew` is false for an `externalId` that was recorded before; what is stored stays as it is. */
    output: conversion.extend({ isNew: z.boolean() }),
    errors: ['contact_not_found', 'contact_phone_invalid', 'conversion_time_invalid'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/conversions',
    access: ['analytics:read', 'contacts:read'],
    forKeys: { example: { limit: 2 } },
    summary: 'Conversions, the newest first by the time when they happened',
    input: pageInput.extend({
      /** Only those that belong to this campaign. */
      campaignId: id.optional(),
    }),
    output: page(conversion.extend({ contactName: z.string().nullable() })),
  }),
  getSettings: endpoint({
    method: 'GET',
    path: '/conversions/settings',
    access: 'campaigns:read',
    forKeys: true,
    summary: 'The attribution window, and whether links are counted',
    input: z.object({}),
    output: conversionSettings,
  }),
  updateSettings: endpoint({
    method: 'PUT',
    path: '/conversions/settings',
    access: 'settings:update',
    forKeys: { example: { windowDays: 7, countsLinks: true, version: 0 } },
    repeat: versioned,
    summary:
      'Changes the attribution window, also for what is past, and whether links of new messages are counted',
    input: settings.extend({ version: z.number().int().min(0).max(2_000_000_000) }),
    output: conversionSettings,
    errors: ['conversion_settings_changed'],
  }),
  getCampaign: endpoint({
    method: 'GET',
    path: '/campaigns/{campaignId}/conversions',
    access: 'campaigns:read',
    forKeys: true,
    summary:
      'Clicks of a campaign by link, taps by suggestion, and what came of them within the attribution window',
    input: z.object({ campaignId: id }),
    output: conversionFigures.extend({
      windowDays: z.number(),
      /** Whether links of this campaign are counted. */
      countsLinks: z.boolean(),
      /** Different recipients who clicked. */
      clicked: z.number(),
      clicks: z.number(),
      /** Requests of programs that show a preview of the page: no clicks. */
      previews: z.number(),
      /** The most clicked first. */
      links: z.array(
        z.object({
          id,
          /** What was tapped; empty for an address in a text. */
          label: z.string(),
          place: z.enum(linkPlaces),
          target: z.string(),
          /** Of the second message of a campaign with a fallback. */
          isOfFallback: z.boolean(),
          clicked: z.number(),
          clicks: z.number(),
          previews: z.number(),
        }),
      ),
      /** Suggestions and buttons of the message that were tapped within 24 hours of its delivery, the most tapped first. */
      taps: z.array(
        z.object({
          /** What is written on it; placeholders stand as they are in the message. */
          label: z.string(),
          /** Different recipients who tapped it. */
          tapped: z.number(),
          taps: z.number(),
        }),
      ),
    }),
    errors: ['campaign_not_found'],
  }),
};
