import { cleanText } from '@app/domain/contacts/contact';
import { cleanOptions, customFieldLimits, customFieldTypes } from '@app/domain/custom-fields/custom-field';
import { z } from 'zod';
import { endpoint, id, instant, page, versioned } from '../endpoint.ts';

export const customField = z.object({
  id,
  /** Its name in placeholders, files and `customFields` of a contact; made from the first label, never changed. */
  key: z.string(),
  label: z.string(),
  type: z.enum(customFieldTypes),
  description: z.string(),
  /** What a choice can be; empty for the other types. */
  options: z.array(z.string()),
  createdAt: instant,
  updatedAt: instant,
  version: z.number(),
});

/** Values of a contact, by the keys of their fields. A day is text such as `2026-11-21`, a choice its option. */
export const customValues = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/** Only the fields that are named change; null or empty text takes the value away. */
export const customValuesInput = z
  .record(z.string().max(100), z.union([z.string().max(5000), z.number(), z.boolean(), z.null()]))
  .refine((values) => Object.keys(values).length <= customFieldLimits.fields, 'These are too many fields.');

const label = z.string().max(1000).transform(cleanText).pipe(z.string().min(1).max(customFieldLimits.label));
const description = z
  .string()
  .max(1000)
  .transform(cleanText)
  .pipe(z.string().max(customFieldLimits.description));
const options = z
  .array(z.string().max(1000))
  .max(1000)
  .transform(cleanOptions)
  .pipe(z.array(z.string().max(customFieldLimits.option)).max(customFieldLimits.options));

/**
 * A field changes what every contact has and which variables a template can be filled from, so it takes the right to
 * change both: of the roles as they come, admins and managers.
 */
const manage = ['contacts:update', 'templates:update'] as const;
const one = z.object({ fieldId: id });

export const customFieldsContract = {
  list: endpoint({
    method: 'GET',
    path: '/custom-fields',
    access: 'contacts:read',
    forKeys: true,
    summary: 'Every custom field of contacts, in the order in which they are shown',
    input: z.object({}),
    output: page(customField),
  }),
  create: endpoint({
    method: 'POST',
    path: '/custom-fields',
    access: manage,
    forKeys: {
      example: { label: 'Customer number', type: 'text' },
    },
    repeat: 'keyed',
    summary: 'Adds a custom field; its key is made from the label and never changes, nor does the type',
    input: z.strictObject({
      label,
      type: z.enum(customFieldTypes),
      description: description.default(''),
      options: options.default([]),
    }),
    output: customField,
    errors: ['custom_field_label_taken', 'custom_field_limit', 'custom_field_options_missing'],
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/custom-fields/{fieldId}',
    access: manage,
    forKeys: true,
    repeat: versioned,
    summary: 'Changes label, description or options, unless someone else changed the field since `version`',
    input: z.strictObject({
      fieldId: id,
      version: z.number().int().min(1).max(2_000_000_000),
      label: label.optional(),
      description: description.optional(),
      /** An option that contacts have cannot be left out. */
      options: options.optional(),
    }),
    output: customField,
    errors: [
      'custom_field_not_found',
      'custom_field_changed',
      'custom_field_label_taken',
      'custom_field_options_missing',
      'custom_field_option_used',
    ],
  }),
  reorder: endpoint({
    method: 'POST',
    path: '/custom-fields/order',
    access: manage,
    repeat: { harmless: 'It sets the whole order.' },
    summary: 'Puts all fields into this order',
    input: z.strictObject({ fieldIds: z.array(id).max(customFieldLimits.fields) }),
    output: page(customField),
    errors: ['custom_fields_changed'],
  }),
  getUsage: endpoint({
    method: 'GET',
    path: '/custom-fields/{fieldId}/usage',
    access: manage,
    summary: 'How many contacts have a value, and which segments and unfinished campaigns ask for it',
    input: one,
    output: z.object({
      contacts: z.number(),
      segments: z.array(z.string()),
      campaigns: z.array(z.string()),
    }),
    errors: ['custom_field_not_found'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/custom-fields/{fieldId}',
    access: ['contacts:update', 'contacts:delete', 'templates:update'],
    forKeys: true,
    repeat: 'keyed',
    work: 'long',
    summary:
      'Deletes a field with the values of all contacts; not while a segment or unfinished campaign asks for it',
    input: one,
    output: z.object({}),
    errors: ['custom_field_not_found', 'custom_field_in_use'],
  }),
};
