import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { JsonObject } from '../core/json.ts';
import type { Lie } from './lies.ts';
import type { Person } from './people.ts';

const KEY_ID = 'sandbox-key';
const LIFE_SECONDS = 300;

export interface TokenRequest {
  issuer: string;
  clientId: string;
  clientSecret: string;
  nonce: string | null;
  authTime: number;
}

/** The keys of the provider, made when they are first needed. */
export class Signer {
  #keys: { privateKey: KeyObject; publicKey: KeyObject } | undefined;
  #other: KeyObject | undefined;

  publicKeys(): { keys: object[] } {
    const key = this.#own().publicKey.export({ format: 'jwk' });
    return { keys: [{ ...key, kid: KEY_ID, use: 'sig', alg: 'RS256' }] };
  }

  /** A signed token about a person, or one with the lie that was asked for. */
  sign(claims: JsonObject, lie: Lie | null, clientSecret: string): string {
    if (lie === 'alg-none') return `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.`;
    const header = {
      alg: lie === 'alg-hmac' ? 'HS256' : 'RS256',
      typ: 'JWT',
      kid: lie === 'unknown-key' ? 'another-key' : KEY_ID,
    };
    const content = `${encode(header)}.${encode(claims)}`;
    if (lie === 'alg-hmac')
      return `${content}.${createHmac('sha256', clientSecret).update(content).digest('base64url')}`;
    const key = lie === 'signature' || lie === 'unknown-key' ? this.#foreign() : this.#own().privateKey;
    return `${content}.${sign('RSA-SHA256', Buffer.from(content), key).toString('base64url')}`;
  }

  #own() {
    return (this.#keys ??= generateKeyPairSync('rsa', { modulusLength: 2048 }));
  }

  #foreign(): KeyObject {
    return (this.#other ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
  }
}

/** What an ID token says of one sign-in. */
export function describeSignIn(
  { issuer, clientId, nonce, authTime }: TokenRequest,
  sub: string,
  lie: Lie | null,
): JsonObject {
  const now = Math.floor(Date.now() / 1000);
  const [issuedAt, expiresAt] = lie === 'expired' ? [now - 3600, now - 3300] : [now, now + LIFE_SECONDS];
  const said = lie === 'nonce' ? 'another-nonce' : nonce;
  return {
    iss: lie === 'issuer' ? 'https://evil.example' : issuer,
    aud: lie === 'audience' ? 'another-client' : clientId,
    sub,
    iat: issuedAt,
    exp: expiresAt,
    ...(lie !== 'no-auth-time' && { auth_time: lie === 'old-auth-time' ? authTime - 3600 : authTime }),
    ...(said !== null && lie !== 'no-nonce' && { nonce: said }),
  };
}

/** What the provider says of a person. */
export function describePerson(person: Person, saysNoVerified: boolean): JsonObject {
  return {
    ...(person.email !== null && { email: person.email }),
    ...(person.email !== null && !saysNoVerified && { email_verified: person.emailVerified }),
    given_name: person.givenName,
    family_name: person.familyName,
    name: `${person.givenName} ${person.familyName}`.trim(),
    groups: person.groups,
  };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
