import { z } from 'zod';

/** Which contacts are meant by their language: a code with or without a region, or `none` for those of whom nobody said it. */
export const contactLanguage = z.union([
  z.literal('none'),
  z
    .string()
    .max(20)
    .regex(/^[a-z]{2,3}(?:_[A-Z]{2})?$/),
]);
