import { advisoryLocks } from '@app/database/advisory-locks';
import { eq, sql } from 'drizzle-orm';
import { accounts, memberships, users } from '@app/database/auth/auth-tables';
import { workspaces } from '@app/database/workspaces/workspaces-tables';
import type { Queries } from '@app/database/database';
import type { SqlQueries } from '@app/database/sql-queries';
import { newId } from '@app/database/new-id';
import type { Caller } from '@app/domain/auth/caller';
import { decideSignUp, type SignUpPlace } from '@app/domain/auth/sign-up-decision';
import { checkSignUp, normaliseEmail, type SignUpForm } from '@app/domain/auth/sign-up-rules';
import { networkOf } from '@app/domain/auth/network-of';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import { TRIAL_DAYS } from '@app/domain/landing/plans';
import type { Origin } from '../platform/origin.ts';
import { changeAcrossWorkspaces } from '../platform/system-work.ts';
import { announceSignIn } from './announce-sign-in.ts';
import { enqueueAddressLink } from './addresses/confirm-address.ts';
import { refuseBadFields } from './auth-forms.ts';
import type { AuthParts } from './auth-parts.ts';
import { languageOf } from '../platform/words/language-of.ts';
import { AuthError } from './auth-response.ts';
import { mayBeTakenBack } from './email-change/ask-for-email.ts';
import { openSession, type SignedIn } from './sessions/open-session.ts';

/** The language of the form is the account's until its owner chooses another. */
type NewAccountForm = SignUpForm & { language: InterfaceLanguage };

/** Signed in at once, or waiting: until an admin has activated the account, and for the address to be confirmed where it must be. */
export type SignedUp = SignedIn | { isPending: true; mustConfirmAddress: boolean };

export async function signUp(
  parts: AuthParts,
  request: Request,
  caller: Origin,
  form: SignUpForm,
): Promise<SignedUp> {
  refuseBadFields(checkSignUp(form));
  const limit = parts.signUpLimit.begin(networkOf(caller.ipAddress));
  if (!limit.isAllowed)
    throw new AuthError('too_many_attempts', { retryAfterSeconds: limit.retryAfterSeconds });
  const email = normaliseEmail(form.email);
  const passwordHash = await parts.hashing.run(() => parts.passwords.hash(form.password));
  const created = await createAccount(
    parts,
    caller,
    { ...form, email, language: languageOf(request) },
    passwordHash,
  );
  if (!created.isActive) return { isPending: true, mustConfirmAddress: parts.confirmsAddresses };
  const { userId } = created;
  const signedIn = await openSession(parts, request, caller, {
    ...{ userId, email },
    ...{ rememberMe: true, method: 'password' },
  });
  await announceSignIn(parts, caller, signedIn);
  return signedIn;
}

/** The workspace that a new account would join, and by which rules. */
export async function findSignUpPlace(
  tx: Queries,
  isSampleOpen: boolean,
): Promise<{ place: SignUpPlace; workspaceId: string | null }> {
  const rows = await tx
    .select({ id: workspaces.id, isSample: workspaces.isSample })
    .from(workspaces)
    .orderBy(workspaces.createdAt, workspaces.id);
  const own = rows.find((workspace) => !workspace.isSample);
  if (own) return { place: 'workspace', workspaceId: own.id };
  const sample = isSampleOpen ? rows.find((workspace) => workspace.isSample) : undefined;
  return sample ? { place: 'sample', workspaceId: sample.id } : { place: 'empty', workspaceId: null };
}

function createAccount(
  parts: AuthParts,
  origin: Origin,
  form: NewAccountForm,
  passwordHash: string,
): Promise<{ userId: string; isActive: boolean }> {
  return changeAcrossWorkspaces(parts, 'sign-in', async ({ tx, client, scopeOf }) => {
    // Two first accounts at the same moment must not both become admin of an installation.
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${advisoryLocks.signUp})`);
    const { place, workspaceId: joined } = await findSignUpPlace(tx, parts.isLocalOnly);
    const decision = decideSignUp(place, form.role);
    const userId = newId();
    const isConfirmed = decision.isActive || !parts.confirmsAddresses;
    const isNew =
      (await addUser(tx, userId, form, isConfirmed)) &&
      !(await giveBack({ tx, client, userId, email: form.email, now: parts.clock() }));
    if (!isNew && decision.isActive) throw new AuthError('email_taken');
    // Left for every address, so that the time tells nothing either; where nothing waits no mail goes out.
    if (!isConfirmed) await enqueueAddressLink(parts, client, form);
    // A request for an address that has an account gets the same answer as any other request.
    if (!isNew) return { userId, isActive: false };
    const workspaceId = joined ?? (await createFirstWorkspace(tx, parts.clock(), form.language));
    await tx
      .insert(accounts)
      .values({ id: newId(), userId, accountId: userId, providerId: 'credential', password: passwordHash });
    await tx.insert(memberships).values({ workspaceId, userId, ...decision });
    const name = `${form.firstName.trim()} ${form.lastName.trim()}`;
    const caller: Caller = { kind: 'person', id: userId, name, workspaceId, permissions: [] };
    const { requestedRole, role } = decision;
    await scopeOf({ caller, origin }).emit(
      requestedRole
        ? { type: 'user.asked_to_join', subject: userId, values: { role: requestedRole } }
        : { type: 'user.created', subject: userId, values: { role } },
    );
    return { userId, isActive: decision.isActive };
  });
}

/** False for an address that has an account. */
export async function addUser(
  tx: Queries,
  userId: string,
  {
    email,
    firstName,
    lastName,
    phoneNumber,
    language,
  }: Pick<NewAccountForm, 'email' | 'firstName' | 'lastName' | 'phoneNumber' | 'language'>,
  isConfirmed: boolean,
): Promise<boolean> {
  const added = await tx
    .insert(users)
    .values({
      id: userId,
      name: `${firstName.trim()} ${lastName.trim()}`.trim(),
      email,
      firstName: firstName.trim(),
      lastName: lastName.trim(),
      phoneNumber: phoneNumber.trim() || null,
      language,
      emailVerified: isConfirmed,
    })
    .onConflictDoNothing()
    .returning({ id: users.id });
  return added.length === 1;
}

/**
 * Whether the address of a new account is one that somebody may take back: then the account is none. Asked behind the insert, which waits for
 * whoever gives the address up at the same moment.
 */
export async function giveBack({
  tx,
  client,
  userId,
  email,
  now,
}: {
  tx: Queries;
  client: SqlQueries;
  userId: string;
  email: string;
  now: Date;
}): Promise<boolean> {
  if (!(await mayBeTakenBack(client, email, now))) return false;
  await tx.delete(users).where(eq(users.id, userId));
  return true;
}

/** The workspace of an installation that had none. */
export async function createFirstWorkspace(
  tx: Queries,
  now: Date,
  language: InterfaceLanguage,
): Promise<string> {
  const workspaceId = newId();
  const trialEndsAt = new Date(now.getTime() + TRIAL_DAYS * 24 * 3_600_000);
  await tx
    .insert(workspaces)
    .values({ id: workspaceId, slug: 'main', name: 'Your Business', language, trialEndsAt });
  return workspaceId;
}
