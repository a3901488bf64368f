import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import { isRecord, parseJson, textOf } from '../calls/json-values.ts';

/** What a key file of a service account holds. */
export type ServiceAccount = { email: string; keyId: string; key: KeyObject; tokenUrl: string };

/** https://developers.google.com/identity/protocols/oauth2/service-account */
export const JWT_GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
export const MESSAGING_SCOPE = 'https://www.googleapis.com/auth/rcsbusinessmessaging';
export const MANAGEMENT_SCOPE = 'https://www.googleapis.com/auth/businesscommunications';
/** The platform takes an hour at most. */
const LIFE_SECONDS = 3_600;

/** The service account of a key file as it was downloaded; null where it is none, or its key cannot be read. */
export function readServiceAccount(keyFile: string): ServiceAccount | null {
  const file = parseJson(keyFile);
  if (!isRecord(file)) return null;
  const email = textOf(file['client_email']);
  const keyId = textOf(file['private_key_id']);
  const tokenUrl = URL.parse(textOf(file['token_uri']) ?? '');
  if (email === null || keyId === null || !tokenUrl || !/^https?:$/.test(tokenUrl.protocol)) return null;
  try {
    return {
      email,
      keyId,
      key: createPrivateKey(textOf(file['private_key']) ?? ''),
      tokenUrl: tokenUrl.href,
    };
  } catch {
    return null;
  }
}

/** The signed statement that is exchanged for a token; `now` in milliseconds. */
export function writeAssertion(
  { email, keyId, key, tokenUrl }: ServiceAccount,
  scope: string,
  now: number,
): string {
  const issuedAt = Math.floor(now / 1000);
  const header = { alg: 'RS256', typ: 'JWT', kid: keyId };
  const claims = { iss: email, scope, aud: tokenUrl, iat: issuedAt, exp: issuedAt + LIFE_SECONDS };
  const content = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${content}.${sign('RSA-SHA256', Buffer.from(content), key).toString('base64url')}`;
}
