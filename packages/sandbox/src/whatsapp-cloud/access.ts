import { GraphError, unknownNode } from './errors.ts';
import type { Platform } from './platform.ts';
import type { Account, App, BusinessNumber, Permission, Token } from './store.ts';

/** The app behind the token of a call; the platform checks this before anything else. A token without permissions may still be asked about. */
export function authenticate(
  platform: Platform,
  authorization: string | undefined,
  queryToken?: string,
  { asksAboutTokens = false, needs }: { asksAboutTokens?: boolean; needs?: Permission | undefined } = {},
): App {
  const header = /^(?:Bearer|OAuth)\s+(.+)$/i.exec(authorization ?? '')?.[1]?.trim();
  const value = header ?? queryToken;
  if (!value) {
    throw new GraphError(104, {
      message: 'An access token is required to request this resource.',
    });
  }
  const app = appOfAppToken(platform, value);
  if (app) return app;
  const token = findToken(platform, value);
  const owner = token && platform.store.apps.get(token.appId);
  if (!token || !owner)
    throw new GraphError(190, { message: 'Invalid OAuth access token - Cannot parse access token' });
  if (token.problem === 'expired') {
    throw new GraphError(190, {
      subcode: 463,
      message: 'Error validating access token: Session has expired. The session is no longer valid.',
    });
  }
  if (token.problem === 'revoked') {
    throw new GraphError(190, {
      subcode: 460,
      message: 'Error validating access token: The session was invalidated.',
    });
  }
  const isPowerless =
    token.problem === 'no-permission' || (needs && token.permissions?.includes(needs) === false);
  if (isPowerless && !asksAboutTokens) {
    throw new GraphError(10, { message: '(#10) Application does not have permission for this action' });
  }
  return owner;
}

/** As it stands now: a switch may give every token the same trouble. */
export function findToken({ store, behaviour }: Platform, value: string): Token | undefined {
  const token = store.tokens.get(value);
  if (!token) return undefined;
  if (behaviour.tokenProblem !== 'none') return { ...token, problem: behaviour.tokenProblem };
  const hasEnded = token.expiresAt !== undefined && token.expiresAt <= Date.now();
  return hasEnded && token.problem === null ? { ...token, problem: 'expired' } : token;
}

/** Whether this is the secret of the app: not any more where a switch says that the app has a new one. */
export function knowsSecret({ behaviour }: Platform, app: App, secret: unknown): boolean {
  return !behaviour.appSecretChanged && app.secret === secret;
}

/** The token of an app itself is its id and its secret with a bar between them. */
function appOfAppToken(platform: Platform, value: string): App | undefined {
  const bar = value.indexOf('|');
  if (bar < 1 || platform.store.tokens.has(value)) return undefined;
  const app = platform.store.apps.get(value.slice(0, bar));
  if (!app)
    throw new GraphError(101, {
      message: 'Error validating application. Cannot get application info due to a system error.',
    });
  if (!knowsSecret(platform, app, value.slice(bar + 1)))
    throw new GraphError(190, { message: 'Invalid OAuth access token signature.' });
  return app;
}

/** A node that the app may not see looks like one that is not there. */
export function accountOf(platform: Platform, app: App, id: string): Account {
  const account = platform.store.accounts.get(id);
  if (!account?.appIds.has(app.id)) throw unknownNode(id);
  return account;
}

export function numberOf(platform: Platform, app: App, id: string): BusinessNumber {
  const number = platform.store.numbers.get(id);
  const account = number && platform.store.accounts.get(number.accountId);
  if (!number || !account?.appIds.has(app.id)) throw unknownNode(id);
  return number;
}
