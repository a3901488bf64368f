import { customFieldLimits, customFieldTypes } from '@app/domain/custom-fields/custom-field';
import { templateCategories } from '@app/domain/templates/template';
import { z } from 'zod';
import { messageText, variables } from '../sending/message-choice.ts';
import { quietHours } from '../sending/quiet-hours.ts';
import { templateComponent, templateLanguage } from '../templates/templates-contract.ts';

/** What a file of data says of each thing; words that mean nothing here are passed over. */

export const importedField = z.object({
  key: z
    .string()
    .regex(/^[a-z][a-z0-9_]*$/)
    .max(customFieldLimits.key),
  label: z.string().trim().min(1).max(customFieldLimits.label),
  type: z.enum(customFieldTypes),
  description: z.string().trim().max(customFieldLimits.description).default(''),
  options: z
    .array(z.string().trim().min(1).max(customFieldLimits.option))
    .max(customFieldLimits.options)
    .default([]),
});

export const importedTemplate = z
  .object({
    name: z.string().trim().min(1).max(1000),
    category: z.enum(templateCategories).default('general'),
    language: templateLanguage.default('en'),
    content: z.string().max(20_000).default(''),
    components: z.array(templateComponent).max(20).optional(),
  })
  .transform(({ content, components, ...template }) => ({
    ...template,
    components: components ?? [{ type: 'body' as const, text: content }],
  }));

export const importedCampaign = z.object({
  name: z.string().trim().min(1).max(200),
  template: z.string().max(1000).nullable().default(null),
  customMessage: messageText.nullable().default(null),
  inContactLanguage: z.boolean().default(false),
  variables: variables.default({}),
  quietHours: quietHours.nullable().default(null),
});
