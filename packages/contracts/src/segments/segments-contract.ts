import { cleanText } from '@app/domain/contacts/contact';
import { customFieldLimits } from '@app/domain/custom-fields/custom-field';
import {
  conditionKinds,
  conditionsOf,
  isConditionValid,
  segmentLimits,
} from '@app/domain/segments/segment-rules';
import { z } from 'zod';
import { endpoint, id, instant, page, readsOnly, versioned } from '../endpoint.ts';

const condition = z
  .strictObject({
    kind: z.enum(conditionKinds),
    value: z.string().max(customFieldLimits.text),
    /** Id of a custom field, for the kinds that begin with `field_`; the others do not look at it. */
    field: id.optional(),
  })
  .refine(isConditionValid, { path: ['value'], message: 'This value does not fit the condition.' });

const match = z.enum(['all', 'any']);
const conditions = z.array(condition).max(segmentLimits.conditions).readonly();

export const segmentRules = z
  .strictObject({
    /** Whether a contact must meet every condition and group, or one of them. */
    match,
    conditions,
    /** Each counts as one condition: all of its own, or any of them. */
    groups: z
      .array(
        z.strictObject({
          match,
          conditions: z.array(condition).min(1).max(segmentLimits.conditions).readonly(),
        }),
      )
      .max(segmentLimits.groups)
      .readonly()
      .optional(),
  })
  .refine((rules) => conditionsOf(rules).length > 0, {
    path: ['conditions'],
    message: 'Rules have at least one condition.',
  })
  .refine((rules) => conditionsOf(rules).length <= segmentLimits.conditions, {
    path: ['conditions'],
    message: `Rules have at most ${segmentLimits.conditions} conditions, those of groups among them.`,
  });

export const segment = z.object({
  id,
  name: z.string(),
  rules: segmentRules,
  createdAt: instant,
  updatedAt: instant,
  version: z.number(),
});

const name = z.string().max(1000).transform(cleanText).pipe(z.string().min(1).max(segmentLimits.name));

export const segmentsContract = {
  list: endpoint({
    method: 'GET',
    path: '/segments',
    access: 'contacts:read',
    forKeys: true,
    summary: 'Every segment, by name; at most 1,000',
    input: z.object({}),
    output: page(segment),
  }),
  count: endpoint({
    method: 'POST',
    path: '/segments/count',
    access: 'contacts:read',
    forKeys: {
      example: { rules: { match: 'all', conditions: [{ kind: 'has_tag', value: 'newsletter' }] } },
    },
    repeat: readsOnly,
    summary: 'How many contacts these rules find now; nothing is saved',
    input: z.strictObject({ rules: segmentRules }),
    output: z.object({ count: z.number() }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/segments/{segmentId}',
    access: 'contacts:read',
    forKeys: true,
    summary: 'One segment',
    input: z.object({ segmentId: id }),
    output: segment,
    errors: ['segment_not_found'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/segments',
    access: 'contacts:create',
    forKeys: {
      example: {
        name: 'Newsletter',
        rules: { match: 'all', conditions: [{ kind: 'has_tag', value: 'newsletter' }] },
      },
    },
    repeat: 'keyed',
    summary: 'Saves rules under a name',
    input: z.strictObject({ name, rules: segmentRules }),
    output: segment,
    errors: ['segment_name_taken', 'custom_field_unknown'],
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/segments/{segmentId}',
    access: 'contacts:update',
    forKeys: true,
    repeat: versioned,
    summary: 'Changes name or rules, unless someone else changed the segment since `version`',
    input: z.strictObject({
      segmentId: id,
      version: z.number().int().min(1).max(2_000_000_000),
      name: name.optional(),
      rules: segmentRules.optional(),
    }),
    output: segment,
    errors: ['segment_not_found', 'segment_changed', 'segment_name_taken', 'custom_field_unknown'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/segments/{segmentId}',
    access: 'contacts:delete',
    forKeys: true,
    repeat: 'keyed',
    summary: 'Deletes a segment; its contacts stay',
    input: z.object({ segmentId: id }),
    output: z.object({}),
    errors: ['segment_not_found', 'segment_in_use'],
  }),
};
