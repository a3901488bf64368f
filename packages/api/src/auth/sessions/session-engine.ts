import { betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { accounts, sessions, users, verifications } from '@app/database/auth/auth-tables';
import type { Database } from '@app/database/database';
import { newId } from '@app/database/new-id';
import { openQueries } from '@app/database/open-queries';
import type { Logger } from '../../platform/logger.ts';
import { COOKIE_PREFIX } from '../cookie-names.ts';
import { openSessionPlugin } from './open-session-endpoint.ts';

export const SESSION_SECONDS = 24 * 60 * 60;

/** The host's own finding of the client's address travels to the engine under this name only. */
export const CLIENT_ADDRESS_HEADER = 'x-client-address';

export type SessionEngine = ReturnType<typeof createSessionEngine>;

/** Session rows and signed cookies. It is never reachable from outside by itself. */
export function createSessionEngine({
  db,
  secret,
  publicUrl,
  logger,
  refuseSignIn,
}: {
  db: Database;
  secret: string;
  publicUrl: string;
  logger: Logger;
  /** Asked after the right password: the code of a reason against a session, or null. */
  refuseSignIn: (userId: string) => Promise<string | null>;
}) {
  return betterAuth({
    baseURL: publicUrl,
    basePath: '/api/auth',
    secret,
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    logger: { level: 'error', log: (_level, message) => logger.error({}, `sign-in: ${message}`) },
    database: drizzleAdapter(openQueries(db.systemPool), {
      provider: 'pg',
      schema: { user: users, session: sessions, account: accounts, verification: verifications },
    }),
    plugins: [openSessionPlugin],
    session: { expiresIn: SESSION_SECONDS, updateAge: 0 },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: publicUrl.startsWith('https:'),
      database: { generateId: () => newId() },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
    databaseHooks: {
      session: {
        create: {
          before: async ({ userId }) => {
            const code = await refuseSignIn(userId);
            if (code) throw new APIError('FORBIDDEN', { code });
          },
        },
      },
    },
  });
}
