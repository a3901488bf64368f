import { interfaceLanguages } from '@app/domain/text/interface-language';
import { themes } from '@app/domain/profile/preferences';
import { roles } from '@app/domain/auth/permissions';
import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { quietHours } from '../sending/quiet-hours.ts';
import { preferences } from '../profile/preferences-schema.ts';

export const sessionUser = z.object({
  id: z.uuid(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  avatar: z.string().nullable(),
  /** IANA name, for instance `Europe/Paris`. */
  timezone: z.string(),
  /** Null until they choose one: the browser's is used then. */
  language: z.enum(interfaceLanguages).nullable(),
  preferences,
  /** Null until they choose one: the device's is used then. */
  theme: z.enum(themes).nullable(),
});

export const session = z.object({
  user: sessionUser,
  workspace: z.object({
    id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    /** What customers know the business by. */
    businessName: z.string(),
    /** Address of its picture. */
    logo: z.string().nullable(),
    /** What a new campaign begins with. */
    quietHours: quietHours.nullable(),
    isSample: z.boolean(),
  }),
  role: z.enum(roles),
  permissions: z.array(z.string()),
  /** The workspace asks for a second factor that is not set up: nothing else may be done yet. */
  mustSetUpTwoFactor: z.boolean(),
  expiresAt: z.iso.datetime({ offset: true }),
});

/** What the sign-in page may show: the sample sign-in stands here only while the sample workspace exists. */
export const signInHints = z.object({
  sampleSignIn: z.object({ email: z.string(), password: z.string() }).nullable(),
  isFirstAccount: z.boolean(),
  /** The company's own provider, by the name that the operator gave it. */
  companySignIn: z.object({ name: z.string() }).nullable(),
});

export const authContract = {
  getSession: endpoint({
    method: 'GET',
    path: '/session',
    access: 'public',
    summary: 'Who is signed in; null for strangers',
    input: z.object({}),
    output: session.nullable(),
  }),
  getSignInHints: endpoint({
    method: 'GET',
    path: '/sign-in-hints',
    access: 'public',
    summary: 'What the sign-in page may show',
    input: z.object({}),
    output: signInHints,
  }),
};
