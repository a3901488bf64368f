import { areDifferent, buttonIds, LONGEST_CHOICE_ID, rowIds } from '@app/domain/conversations/choice-ids';
import { conversationLimits } from '@app/domain/conversations/conversation-status';
import { z } from 'zod';
import { id, instant } from '../endpoint.ts';
import { kindContent } from '../sending/kind-content.ts';
import { variables } from '../sending/message-choice.ts';

const line = (most: number) => z.string().trim().min(1).max(most);
/** Above what any channel takes; each has limits of its own. */
const LONGEST_CAPTION = 4_096;
const MOST_FILES = 10;
const MOST_CARDS = 20;

/** A message of the conversation that it answers. */
const quoting = { replyTo: id.optional() };
/** It leaves then; without it at once. */
const timed = { sendAt: instant.optional() };

const different = (titles: string[]) => new Set(titles).size === titles.length;

/** It comes back with the tap. Left out, it is one by the place: `button-1`, `row-1-1`. */
const choiceId = z.string().min(1).max(LONGEST_CHOICE_ID);

const buttons = z
  .array(z.strictObject({ id: choiceId.optional(), title: line(60) }))
  .min(1)
  .max(10)
  .refine((all) => different(all.map(({ title }) => title)), 'Every button needs a title of its own.')
  .refine((all) => areDifferent(buttonIds(all)), 'Every button needs an id of its own.');

const list = z.strictObject({
  button: line(60),
  sections: z
    .array(
      z.strictObject({
        title: line(60).optional(),
        rows: z
          .array(
            z.strictObject({
              id: choiceId.optional(),
              title: line(60),
              description: line(200).optional(),
            }),
          )
          .min(1)
          .max(20),
      }),
    )
    .min(1)
    .max(20)
    .refine(
      (all) => all.length === 1 || all.every(({ title }) => title !== undefined),
      'Each of several sections needs a title.',
    )
    .refine((all) => areDifferent(rowIds(all).flat()), 'Every row needs an id of its own.'),
});

const interactive = {
  header: line(60).optional(),
  body: line(conversationLimits.text),
  footer: line(60).optional(),
};

const contactCard = z.strictObject({
  formattedName: line(200),
  firstName: line(100).optional(),
  lastName: line(100).optional(),
  phones: z
    .array(z.strictObject({ phone: line(40), kind: line(20).optional() }))
    .max(10)
    .optional(),
  emails: z
    .array(z.strictObject({ email: line(254), kind: line(20).optional() }))
    .max(10)
    .optional(),
  company: line(100).optional(),
  jobTitle: line(100).optional(),
});

/** What somebody says in a conversation. */
export const newMessage = z.union([
  z.strictObject({
    text: z.string().trim().min(1).max(conversationLimits.text),
    ...quoting,
    ...timed,
  }),
  z.strictObject({
    templateId: id,
    variables: variables.default({}),
    /** By the place of the button in the template; null where it keeps the id of the channel. */
    buttonIds: z.array(choiceId.nullable()).max(20).optional(),
    /** In place of the file of the template's header: a public address that the platform fetches. */
    headerFile: z
      .strictObject({ link: z.url({ protocol: /^https$/ }).max(2_000), filename: line(200).optional() })
      .optional(),
    ...timed,
  }),
  z.strictObject({
    files: z
      .array(
        z.strictObject({
          /** Of an upload that was not sent before. */
          fileId: id,
          caption: z.string().trim().max(LONGEST_CAPTION).optional(),
          /** Of a recording: shown as a voice note. */
          asVoice: z.boolean().optional(),
        }),
      )
      .min(1)
      .max(MOST_FILES),
    ...quoting,
    ...timed,
  }),
  z.strictObject({
    reaction: z.strictObject({
      messageId: id,
      /** Empty takes the reaction back. */
      emoji: z.string().max(40),
    }),
  }),
  z.strictObject({
    location: z.strictObject({
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
      name: line(200).optional(),
      address: line(500).optional(),
    }),
    ...quoting,
    ...timed,
  }),
  /** Checked by the content type that the channel of the conversation has for it. */
  z.strictObject({ content: kindContent, ...quoting, ...timed }),
  z.strictObject({ contacts: z.array(contactCard).min(1).max(MOST_CARDS), ...quoting, ...timed }),
  z.strictObject({
    interactive: z.union([
      z.strictObject({ ...interactive, buttons }),
      z.strictObject({ ...interactive, list }),
    ]),
    ...quoting,
    ...timed,
  }),
]);
export type NewMessage = z.infer<typeof newMessage>;
