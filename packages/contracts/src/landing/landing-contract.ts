import { checkEmail } from '@app/domain/auth/sign-up-rules';
import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

export const landingContract = {
  sendEnquiry: endpoint({
    method: 'POST',
    path: '/sales-enquiries',
    access: 'public',
    repeat: 'keyed-outside',
    summary: 'A visitor asks to talk to sales',
    input: z.object({
      name: z.string().trim().min(1).max(100),
      email: z
        .string()
        .trim()
        .max(254)
        .refine((email) => checkEmail(email) === null),
      company: z.string().trim().max(100).default(''),
      message: z.string().trim().min(1).max(2000),
    }),
    output: z.object({ isReceived: z.literal(true) }),
    errors: ['too_many_enquiries'],
  }),
};
