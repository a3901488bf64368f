import type {
  CompanyAnswer,
  CompanyAttempt,
  CompanyProvider,
  CompanyError,
} from '@app/domain/company-sign-in/company-provider';
import type { CompanyRules } from '@app/domain/company-sign-in/company-rules';
import { isLoopback } from '@app/domain/network/loopback';
import * as oauth from 'oauth4webapi';
import { createOutgoingCalls } from '../calls/outgoing-calls.ts';
import { createOpenIdFetch } from './openid-fetch.ts';
import { describeFailure } from './describe-error.ts';
import { readIdentity } from './read-identity.ts';

export type OpenIdSettings = {
  name: string;
  /** https, or http on this machine alone. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** With `openid`. */
  scopes: string;
  rules: CompanyRules;
};

/** What the provider says of itself is read anew after so long. */
const METADATA_MS = 15 * 60_000;
/** Clocks of two machines differ. */
const TOLERANCE_SECONDS = 30;
/** How long ago, at most, somebody may have proved who they are where that is asked for anew. */
const REAUTHENTICATION_SECONDS = 60;

/** A provider by its issuer: authorization code with PKCE, and an ID token whose signature is looked at (OpenID Connect Core 3.1.3.7). */
export function createOpenIdProvider(settings: OpenIdSettings): CompanyProvider {
  const { name, rules } = settings;
  const issuerUrl = new URL(settings.issuer);
  // With or without a slash at its end it is the same provider, and people stay who they are.
  const issuer = settings.issuer.replace(/\/+$/, '');
  // Whoever names an issuer of their own network allows its host, and no other of that network.
  const calls = createOutgoingCalls({ namedHosts: [issuerUrl.hostname] });
  const isInsecure = issuerUrl.protocol === 'http:' && isLoopback(issuerUrl.hostname);
  const options = {
    [oauth.customFetch]: createOpenIdFetch(calls),
    ...(isInsecure && { [oauth.allowInsecureRequests]: true }),
  };
  const client: oauth.Client = { client_id: settings.clientId, [oauth.clockTolerance]: TOLERANCE_SECONDS };
  let known: { server: oauth.AuthorizationServer; until: number } | undefined;
  let asking: Promise<oauth.AuthorizationServer> | undefined;

  async function discover(): Promise<oauth.AuthorizationServer> {
    if (known && known.until > Date.now()) return known.server;
    asking ??= oauth
      .discoveryRequest(issuerUrl, { ...options, algorithm: 'oidc' })
      .then((response) => oauth.processDiscoveryResponse(issuerUrl, response))
      .then((server) => {
        known = { server, until: Date.now() + METADATA_MS };
        return server;
      })
      .finally(() => (asking = undefined));
    // While the provider is away, what it said before is as good as it was.
    return asking.catch((error: unknown) => {
      if (known) return known.server;
      throw error;
    });
  }

  async function askFor(attempt: CompanyAttempt): Promise<{ outcome: 'address'; address: string }> {
    const server = await discover();
    if (!server.authorization_endpoint) throw new Error('The provider names no authorization endpoint.');
    const address = new URL(server.authorization_endpoint);
    if (address.protocol !== 'https:' && !isInsecure)
      throw new Error('The authorization endpoint is not https.');
    const parameters = {
      client_id: client.client_id,
      response_type: 'code',
      scope: settings.scopes,
      redirect_uri: attempt.redirectUri,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
      ...(attempt.isProof && { prompt: 'login', max_age: '0' }),
    };
    for (const [key, value] of Object.entries(parameters)) address.searchParams.set(key, value);
    return { outcome: 'address', address: address.href };
  }

  async function readAnswer(given: URLSearchParams, attempt: CompanyAttempt): Promise<CompanyAnswer> {
    const server = await discover();
    const parameters = oauth.validateAuthResponse(server, client, given, attempt.state);
    const response = await oauth.authorizationCodeGrantRequest(
      ...([server, client, authenticate(server, settings.clientSecret), parameters] as const),
      ...([attempt.redirectUri, attempt.verifier, options] as const),
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: attempt.nonce,
      requireIdToken: true,
      ...(attempt.isProof && { maxAge: REAUTHENTICATION_SECONDS }),
    });
    await oauth.validateApplicationLevelSignature(server, response, options);
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    if (!claims) return { outcome: 'refused', why: 'no ID token' };
    return {
      outcome: 'identity',
      identity: await readIdentity({ issuer, claims, rules }, () => readMore(server, tokens, claims.sub)),
    };
  }

  /** Some providers say only there who somebody is. */
  async function readMore(
    server: oauth.AuthorizationServer,
    tokens: oauth.TokenEndpointResponse,
    subject: string,
  ): Promise<Record<string, unknown>> {
    if (!server.userinfo_endpoint) return {};
    const response = await oauth.userInfoRequest(server, client, tokens.access_token, options);
    return { ...(await oauth.processUserInfoResponse(server, client, subject, response)) };
  }

  return {
    ...{ name, issuer, rules },
    askFor: (attempt) => askFor(attempt).catch(toAway),
    readAnswer: (query, attempt) => readAnswer(new URLSearchParams(query), attempt).catch(describeFailure),
    look: () => discover().then(() => null, toAway),
    close: () => calls.close(),
  };
}

/** As the provider takes it; what it says nothing about is the usual way. */
function authenticate(server: oauth.AuthorizationServer, secret: string): oauth.ClientAuth {
  const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const isPost = !ways.includes('client_secret_basic') && ways.includes('client_secret_post');
  return isPost ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret);
}

function toAway(error: unknown): CompanyError {
  return { outcome: 'away', why: describeFailure(error).why };
}
