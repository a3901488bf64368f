import { z } from 'zod';
import { endpoint, instant } from '../endpoint.ts';

/** Where the person goes to show the company's provider who they are. */
const journey = z.object({ address: z.url() });

export const companySignInContract = {
  get: endpoint({
    method: 'GET',
    path: '/company-sign-in',
    access: 'signed-in',
    isForSetUp: true,
    summary:
      "Whether the caller can sign in with the company's own provider, and when they last proved who they are",
    input: z.object({}),
    output: z.object({
      /** None where the operator has named none. */
      provider: z.object({ name: z.string() }).nullable(),
      link: z.object({ linkedAt: instant, lastUsedAt: instant.nullable() }).nullable(),
      provenAt: instant.nullable(),
    }),
  }),
  beginLink: endpoint({
    method: 'POST',
    path: '/company-sign-in/link',
    access: 'signed-in',
    needsReauthentication: true,
    repeat: { harmless: 'It begins another way to the provider; the first one ends by itself.' },
    summary:
      "Begins to connect the company's account to that of the caller; the provider sends the browser back",
    input: z.object({}),
    output: journey,
    errors: ['company_sign_in_off', 'company_sign_in_away', 'company_account_taken'],
  }),
  beginReauthentication: endpoint({
    method: 'POST',
    path: '/company-sign-in/proof',
    access: 'signed-in',
    isForSetUp: true,
    repeat: { harmless: 'It begins another way to the provider; the first one ends by itself.' },
    summary: 'Begins to prove at the provider once more who the caller is, for what is dangerous',
    input: z.object({}),
    output: journey,
    errors: ['company_sign_in_away', 'company_not_linked'],
  }),
  unlink: endpoint({
    method: 'DELETE',
    path: '/company-sign-in/link',
    access: 'signed-in',
    needsReauthentication: true,
    repeat: { harmless: 'What is gone stays gone: the second request is refused.' },
    summary: "Forgets the company's account of the caller: nobody signs in with it any more",
    input: z.object({}),
    output: z.object({}),
    errors: ['company_not_linked', 'company_only_way_in'],
  }),
};
