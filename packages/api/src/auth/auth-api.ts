import { implement } from '@orpc/server';
import { authContract } from '@app/contracts/auth/auth-contract';
import type { RequestContext } from '../platform/request-context.ts';
import { describeSession } from './sessions/describe-session.ts';
import { SAMPLE_PASSWORD } from '@app/domain/auth/sample-addresses';
import { SAMPLE_ACCOUNTS, SAMPLE_SLUG } from './seed-accounts.ts';
import { findSignUpPlace } from './sign-up.ts';

const os = implement(authContract).$context<RequestContext>();

export const authApi = os.router({
  getSession: os.getSession.handler(async ({ context }) =>
    context.session ? describeSession(context.session) : null,
  ),
  getSignInHints: os.getSignInHints.handler(async ({ context: { db, isLocalOnly, companyProvider } }) => {
    const { place } = await db.inSystem((tx) => findSignUpPlace(tx, isLocalOnly));
    const sample = await db.systemPool.query('SELECT FROM workspaces WHERE slug = $1 AND is_sample', [
      SAMPLE_SLUG,
    ]);
    const isSampleShown = isLocalOnly && sample.rowCount === 1;
    return {
      sampleSignIn: isSampleShown ? { email: SAMPLE_ACCOUNTS[0].email, password: SAMPLE_PASSWORD } : null,
      isFirstAccount: place === 'empty',
      companySignIn: companyProvider && { name: companyProvider.name },
    };
  }),
});
