import { z } from 'zod';
import { chosenAudience } from '../sending/chosen-audience.ts';
import { chosenNumber } from '../sending/chosen-number.ts';
import { allowMissingValues, messageChoice, variables } from '../sending/message-choice.ts';
import { takeBackSeconds } from '../sending/take-back-seconds.ts';
import { chosenQuietHours } from '../sending/chosen-quiet-hours.ts';
import { CONTACT_LIST_BODY, endpoint, id, instant, readsOnly } from '../endpoint.ts';

const messageForAudience = {
  audience: chosenAudience,
  message: messageChoice,
  variables: variables.default({}),
  channelId: chosenNumber,
};

export const bulkMessageContract = {
  preview: endpoint({
    method: 'POST',
    path: '/bulk-messages/preview',
    access: ['campaigns:read', 'contacts:read'],
    forKeys: {
      example: {
        audience: { filter: { status: 'active' } },
        message: { customMessage: 'Hello {{name}}, our shop is open again.' },
      },
    },
    repeat: readsOnly,
    summary: 'The message as contacts would get it, ten at a time',
    /** `after` is the `next` of the answer before. */
    input: z.strictObject({ ...messageForAudience, after: id.optional() }),
    largestBody: CONTACT_LIST_BODY,
    output: z.object({
      /** How many would get it; null with `after`. */
      total: z.number().nullable(),
      /** Null at the last. */
      next: id.nullable(),
      messages: z
        .array(
          z.object({
            contactId: id,
            name: z.string(),
            phone: z.string().nullable(),
            /** Of a template the one that they get; null for a text of one's own. */
            templateId: id.nullable(),
            /** The one that they get where there are several; null where there is one for all. */
            language: z.string().nullable(),
            text: z.string(),
            /** Filled text of the header; null without one, or with a file in its place. */
            header: z.string().nullable(),
            /** What stands in place of each placeholder; what nothing stands for goes out as it is written. */
            values: z.record(z.string(), z.string()),
            /** Placeholders for which nothing is known of this contact, and what goes out in place of a value. */
            missing: z.array(z.object({ name: z.string(), instead: z.string().nullable() })),
          }),
        )
        .max(10),
    }),
    errors: ['template_not_found', 'channel_not_found', 'custom_field_unknown'],
  }),
  send: endpoint({
    method: 'POST',
    path: '/bulk-messages',
    access: ['campaigns:create', 'messages:create'],
    forKeys: {
      example: {
        audience: { filter: { status: 'active' } },
        message: { customMessage: 'Hello {{name}}, our shop is open again.' },
      },
    },
    repeat: 'keyed',
    work: 'starting',
    summary: 'Sends or schedules a message to an audience and records it as a campaign',
    input: z.strictObject({
      ...messageForAudience,
      allowMissingValues,
      scheduledAt: instant.nullable().default(null),
      quietHours: chosenQuietHours,
      takeBackSeconds,
    }),
    largestBody: CONTACT_LIST_BODY,
    output: z.object({
      campaignId: id,
      recipients: z.number(),
      scheduledAt: instant.nullable(),
      /** Until when its start can be taken back; null for one that is scheduled or leaves at once. */
      heldUntil: instant.nullable(),
      /** For how long from this answer on; as for a campaign. */
      heldForMs: z.number().nullable(),
      /** When the first message leaves, if quiet hours hold at the time of sending. */
      quietUntil: instant.nullable(),
    }),
    errors: [
      'bulk_message_no_contacts',
      'bulk_message_no_content',
      'campaign_audience_empty',
      'campaign_segment_deleted',
      'campaign_schedule_past',
      'channel_not_connected',
      'channel_not_found',
      'chosen_number_off',
      'template_not_found',
      'template_not_approved',
      'custom_field_unknown',
      'placeholder_without_value',
      'link_target_missing',
    ],
  }),
};
