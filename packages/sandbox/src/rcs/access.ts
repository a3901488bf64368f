import { randomBytes, verify, type KeyObject } from 'node:crypto';
import { objectOf, parseJson, textOf, type JsonObject } from '../core/json.ts';
import { RcsError } from './rcs-error.ts';
import { keyOfId } from './service-keys.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const LIFE_SECONDS = 3_599;
export const MESSAGING_SCOPE = 'https://www.googleapis.com/auth/rcsbusinessmessaging';
export const MANAGEMENT_SCOPE = 'https://www.googleapis.com/auth/businesscommunications';

/** The service account of a partner, as the platform knows it. */
export interface ServiceAccount {
  email: string;
  keyId: string;
  /** Whether the agents of the sandbox belong to its project. */
  ownsAgents: boolean;
}

interface Token {
  account: ServiceAccount;
  scopes: readonly string[];
  expiresAt: number;
}

/** Signing in as a service account, and what the tokens of it allow. */
export class RcsAccess {
  readonly tokens = new Map<string, Token>();
  readonly #accountOf: (email: string) => ServiceAccount | undefined;

  constructor(accountOf: (email: string) => ServiceAccount | undefined) {
    this.#accountOf = accountOf;
  }

  /** The answer of the token endpoint: its status and body. */
  exchange(form: URLSearchParams, tokenUrl: string, now: number): { status: 200 | 400; body: JsonObject } {
    if (form.get('grant_type') !== GRANT) return refuse('unsupported_grant_type', 'Unknown grant type.');
    const parts = (form.get('assertion') ?? '').split('.');
    const [header = '', payload = '', signature = ''] = parts;
    const account = this.#accountOf(textOf(read(payload)['iss']) ?? '');
    const { kid, alg } = read(header);
    const key = keyOfId(textOf(kid) ?? '');
    const isRight = account !== undefined && parts.length === 3 && alg === 'RS256' && key !== null;
    if (!isRight || !isSigned(key, `${header}.${payload}`, signature))
      return refuse('invalid_grant', 'Invalid JWT Signature.');
    const { aud, iat, exp, scope } = read(payload);
    const [from, to] = [Number(iat) * 1000, Number(exp) * 1000];
    if (textOf(aud) !== tokenUrl) return refuse('invalid_grant', 'Invalid JWT: the audience is another.');
    if (!(from <= now + 60_000 && to > now && to - from <= 3_600_000))
      return refuse('invalid_grant', 'Invalid JWT: Token must be a short-lived token (60 minutes).');
    const scopes = (textOf(scope) ?? '').split(' ').filter(Boolean);
    if (scopes.length === 0) return refuse('invalid_scope', 'Empty or missing scope not allowed.');
    const token = `ya29.sandbox-${randomBytes(18).toString('base64url')}`;
    this.tokens.set(token, { account, scopes, expiresAt: now + LIFE_SECONDS * 1000 });
    return { status: 200, body: { access_token: token, expires_in: LIFE_SECONDS, token_type: 'Bearer' } };
  }

  /** Throws unless the bearer may use agents of the sandbox. */
  check(authorization: string | undefined, now: number, scope = MESSAGING_SCOPE): void {
    const token = this.tokens.get(/^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '');
    if (!token || token.expiresAt <= now)
      throw new RcsError('UNAUTHENTICATED', 'Request had invalid authentication credentials.');
    if (!token.scopes.includes(scope) || !token.account.ownsAgents)
      throw new RcsError('PERMISSION_DENIED', 'The caller does not have permission.');
  }
}

function isSigned(key: KeyObject, content: string, signature: string): boolean {
  return verify('RSA-SHA256', Buffer.from(content), key, Buffer.from(signature, 'base64url'));
}

function read(part: string): JsonObject {
  return objectOf(parseJson(Buffer.from(part, 'base64url').toString('utf8')));
}

function refuse(error: string, description: string): { status: 400; body: JsonObject } {
  return { status: 400, body: { error, error_description: description } };
}
