import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { newId } from '@app/database/new-id';
import type { OwnAccount } from '../platform/account/own-account.ts';
import type { SignedInUser } from '../platform/request-context.ts';
import { keepChallenge, takeChallenge } from './challenges.ts';
import { countPasskeys, listPasskeys, MOST_PASSKEYS, type Passkey } from './passkeys-queries.ts';
import { describeSite } from './site.ts';

/**
 * EdDSA, ES256 and RS256, which every authenticator has one of. Named here, because the library would else ask Node.js whether it knows ML-DSA,
 * and that question alone is an experimental feature of which the product's output would warn.
 */
const ALGORITHMS = [-8, -7, -257];

/** What the browser needs to make a passkey for this person; null when they have as many as there can be. */
export async function beginPasskey(
  { client, userId, now }: OwnAccount,
  user: SignedInUser,
  publicUrl: string,
) {
  if ((await countPasskeys(client, userId)) >= MOST_PASSKEYS) return null;
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const known = await listPasskeys(client, userId);
  const options = await generateRegistrationOptions({
    ...{ rpName: describeSite(publicUrl).name, rpID: describeSite(publicUrl).id },
    userID: new TextEncoder().encode(userId),
    userName: user.email,
    userDisplayName: `${user.firstName} ${user.lastName}`.trim(),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
    // It stands for password and second factor: so it says who it is of, and asks for finger, face or PIN.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await keepChallenge(client, options.challenge, userId, now);
  return options;
}

/** Stores the passkey that the browser made, or returns why not. Emits `account.passkey_added`. */
export async function addPasskey(
  { client, userId, emit, now }: OwnAccount,
  { name, response, publicUrl }: { name: string; response: unknown; publicUrl: string },
): Promise<Passkey | 'passkey_refused' | 'passkey_known' | 'too_many_passkeys'> {
  if ((await countPasskeys(client, userId)) >= MOST_PASSKEYS) return 'too_many_passkeys';
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { id: expectedRPID, origin: expectedOrigin } = describeSite(publicUrl);
  const made = await verifyRegistrationResponse({
    // The library looks at each part of it and throws.
    response: response as RegistrationResponseJSON,
    expectedChallenge: (challenge) => takeChallenge(client, challenge, userId, now),
    ...{ expectedRPID, expectedOrigin, requireUserVerification: true },
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null);
  if (!made?.verified) return 'passkey_refused';
  const { credential, credentialBackedUp } = made.registrationInfo;
  const passkey = { id: newId(), name, isSynced: credentialBackedUp, createdAt: now, lastUsedAt: null };
  const { rowCount } = await client.query(
    `INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, transports, name, is_synced, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (credential_id) DO NOTHING`,
    [
      ...[passkey.id, userId, credential.id, Buffer.from(credential.publicKey), credential.counter],
      ...[credential.transports ?? [], name, credentialBackedUp, now],
    ],
  );
  if (rowCount !== 1) return 'passkey_known';
  await emit({ type: 'account.passkey_added', subject: userId, values: { name } });
  return { ...passkey, credentialId: credential.id };
}
