import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { SqlQueries } from '@app/database/sql-queries';
import { keepChallenge, takeChallenge } from './challenges.ts';
import { describeSite } from './site.ts';

type Row = { id: string; user_id: string; email: string; public_key: Buffer; counter: string };

/** What the browser needs to sign in with whichever passkey it has for this site. */
export async function beginPasskeySignIn(client: SqlQueries, publicUrl: string, now: Date) {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const options = await generateAuthenticationOptions({
    rpID: describeSite(publicUrl).id,
    userVerification: 'required',
  });
  await keepChallenge(client, options.challenge, null, now);
  return options;
}

/** Whose passkey answered our challenge; null for none of ours, and for an answer that was given before. */
export async function checkPasskey(
  client: SqlQueries,
  { response, publicUrl, now }: { response: unknown; publicUrl: string; now: Date },
): Promise<{ userId: string; email: string; passkeyId: string } | null> {
  const answer = response as AuthenticationResponseJSON; // the library looks at each part of it and throws
  const credentialId = typeof answer.id === 'string' ? answer.id : '';
  const { rows } = await client.query<Row>(
    `SELECT p.id, p.user_id, u.email, p.public_key, p.counter FROM passkeys p JOIN users u ON u.id = p.user_id
      WHERE p.credential_id = $1 FOR UPDATE OF p`,
    [credentialId],
  );
  const [known] = rows;
  if (!known) return null;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { id: expectedRPID, origin: expectedOrigin } = describeSite(publicUrl);
  const verdict = await verifyAuthenticationResponse({
    response: answer,
    expectedChallenge: (challenge) => takeChallenge(client, challenge, null, now),
    ...{ expectedRPID, expectedOrigin, requireUserVerification: true },
    credential: {
      id: credentialId,
      publicKey: new Uint8Array(known.public_key),
      counter: Number(known.counter),
    },
  }).catch(() => null);
  if (!verdict?.verified) return null;
  await client.query('UPDATE passkeys SET counter = $2, last_used_at = $3 WHERE credential_id = $1', [
    ...[credentialId, verdict.authenticationInfo.newCounter, now],
  ]);
  return { userId: known.user_id, email: known.email, passkeyId: known.id };
}
