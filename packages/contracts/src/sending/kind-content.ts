import { z } from 'zod';

/** Above what any platform takes of one message, in characters of JSON. */
const LONGEST_VALUE = 250_000;

/**
 * A form of message that one kind of channel has, such as a carousel. Which there are stands in the capabilities of each channel; what the value of one
 * must look like, its content type says.
 */
export const kindContent = z.strictObject({
  kind: z.string().min(1).max(32),
  contentType: z.string().min(1).max(60),
  value: z
    .record(z.string(), z.unknown())
    .refine((value) => JSON.stringify(value).length <= LONGEST_VALUE, 'This content is too long.'),
});
