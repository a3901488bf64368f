import { GraphError, unknownNode } from './errors.ts';
import type { Platform } from './platform.ts';
import type { Account, App, BusinessNumber } from './store.ts';

/** The app behind the token of a call; the platform checks this before anything else. */
export function authenticate(
  platform: Platform,
  authorization: string | undefined,
  queryToken?: string,
): App {
  const header = /^(?:Bearer|OAuth)\s+(.+)$/i.exec(authorization ?? '')?.[1]?.trim();
  const value = header ?? queryToken;
  if (!value) {
    throw new GraphError(104, {
      message: 'An access token is required to request this resource.',
    });
  }
  const token = platform.store.tokens.get(value);
  const app = token && platform.store.apps.get(token.appId);
  if (!token || !app)
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
  if (token.problem === 'no-permission') {
    throw new GraphError(10, { message: '(#10) Application does not have permission for this action' });
  }
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
