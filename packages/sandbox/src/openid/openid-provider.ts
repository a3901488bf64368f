import { createHash, randomBytes } from 'node:crypto';
import { defaultOpenIdBehaviour, type OpenIdBehaviour } from './lies.ts';
import { Signer } from './id-token.ts';
import { defaultPeople, type Person } from './people.ts';

export const CLIENT_ID = 'sandbox-openid-client';
export const CLIENT_SECRET = 'sandbox-openid-secret';

const CODE_MS = 60_000;
const REQUEST_MS = 10 * 60_000;
/** What nobody goes on with is forgotten, the oldest first. */
const MOST_KEPT = 500;

/** What a client asked for at the authorization endpoint. */
export interface AuthorizationRequest {
  redirectUri: string;
  state: string | null;
  nonce: string | null;
  challenge: string;
}

interface Grant extends AuthorizationRequest {
  sub: string;
  authTime: number;
  until: number;
}

export interface OpenIdCall {
  at: number;
  call: 'authorize' | 'token' | 'userinfo';
  outcome: string;
  prompt?: string | null;
  maxAge?: string | null;
}

/** All state of the pretended provider. */
export class OpenIdState {
  readonly signer = new Signer();
  readonly people = new Map<string, Person>();
  readonly #requests = new Map<string, AuthorizationRequest & { until: number }>();
  readonly #codes = new Map<string, Grant>();
  readonly #tokens = new Map<string, string>();
  behaviour: OpenIdBehaviour = { ...defaultOpenIdBehaviour };
  calls: OpenIdCall[] = [];

  constructor() {
    this.reset();
  }

  /** Keeps a request until somebody was chosen; gives the name under which it is found. */
  keepRequest(request: AuthorizationRequest): string {
    return keep(this.#requests, { ...request, until: Date.now() + REQUEST_MS });
  }

  findRequest(id: string): AuthorizationRequest | undefined {
    const request = this.#requests.get(id);
    return request && request.until > Date.now() ? request : undefined;
  }

  deleteRequest(id: string): void {
    this.#requests.delete(id);
  }

  /** A code for this person; it is taken once, within a minute. */
  grant(request: AuthorizationRequest, sub: string): string {
    const now = Date.now();
    return keep(this.#codes, { ...request, sub, authTime: Math.floor(now / 1000), until: now + CODE_MS });
  }

  /** The grant behind a code, for whoever brings its verifier; the code is gone with the first try. */
  takeCode(
    code: string,
    { redirectUri, verifier }: { redirectUri: string; verifier: string },
  ): Grant | undefined {
    const grant = this.#codes.get(code);
    this.#codes.delete(code);
    if (!grant || grant.until <= Date.now() || grant.redirectUri !== redirectUri) return undefined;
    return createHash('sha256').update(verifier).digest('base64url') === grant.challenge ? grant : undefined;
  }

  openToken(sub: string): string {
    return keep(this.#tokens, sub);
  }

  personOf(token: string): Person | undefined {
    return this.people.get(this.#tokens.get(token) ?? '');
  }

  note(call: OpenIdCall): void {
    this.calls = [...this.calls, call].slice(-MOST_KEPT);
  }

  reset(): void {
    this.people.clear();
    for (const person of defaultPeople) this.people.set(person.sub, { ...person });
    for (const kept of [this.#requests, this.#codes, this.#tokens]) kept.clear();
    this.behaviour = { ...defaultOpenIdBehaviour };
    this.calls = [];
  }
}

function keep<Value>(kept: Map<string, Value>, value: Value): string {
  const name = randomBytes(18).toString('base64url');
  kept.set(name, value);
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  return name;
}
