import { textOf, type JsonObject } from '../../core/json.ts';
import { findToken, knowsSecret } from '../access.ts';
import { GraphError } from '../errors.ts';
import type { Platform } from '../platform.ts';
import { permissions } from '../store.ts';

export function exchangeToken(platform: Platform, query: JsonObject): JsonObject {
  const app = platform.store.apps.get(textOf(query['client_id']) ?? '');
  if (!app || !knowsSecret(platform, app, query['client_secret']))
    throw new GraphError(1, { message: 'Error validating client secret.' });
  const isAppToken = query['grant_type'] === 'client_credentials';
  if (!isAppToken && !textOf(query['code']))
    throw new GraphError(100, { message: 'Missing authorization code' });
  const token = isAppToken ? `${app.id}|sandbox-app-token` : `sandbox-user-token-${app.id}`;
  platform.store.tokens.set(token, { appId: app.id, problem: null });
  return { access_token: token, token_type: 'bearer' };
}

export function describeToken(platform: Platform, value: string): JsonObject {
  const token = findToken(platform, value);
  if (!token) return { is_valid: false, error: { code: 190, message: 'Invalid OAuth access token.' } };
  return {
    app_id: token.appId,
    type: 'SYSTEM_USER',
    is_valid: token.problem === null || token.problem === 'no-permission',
    expires_at: token.expiresAt === undefined ? 0 : Math.floor(token.expiresAt / 1000),
    scopes: token.problem === 'no-permission' ? [] : (token.permissions ?? permissions),
  };
}
