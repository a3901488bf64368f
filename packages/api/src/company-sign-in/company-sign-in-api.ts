import { companySignInContract } from '@app/contracts/company-sign-in/company-sign-in-contract';
import { changeOwnAccount, readOwnAccount } from '../platform/account/own-account.ts';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { beginAttempt } from './company-attempts.ts';
import { findLink } from './company-identities.ts';
import { unlinkCompany } from './unlink-company.ts';

const os = implementEndpoints(companySignInContract);

export const companySignInApi = os.router({
  get: os.get.handler(({ context }) =>
    readOwnAccount(context, async ({ client, userId }) => {
      const { companyProvider, session } = context;
      const link = companyProvider && (await findLink(client, companyProvider.issuer, userId));
      return {
        provider: companyProvider && { name: companyProvider.name },
        link: link && {
          linkedAt: link.linkedAt.toISOString(),
          lastUsedAt: link.lastUsedAt?.toISOString() ?? null,
        },
        provenAt: session.provenAt?.toISOString() ?? null,
      };
    }),
  ),

  beginLink: os.beginLink.handler(async ({ context, errors }) => {
    const { companyProvider, session, db } = context;
    if (!companyProvider) throw errors.company_sign_in_off();
    if (await findLink(db.systemPool, companyProvider.issuer, session.user.id))
      throw errors.company_account_taken();
    const begun = await beginAttempt(context, { purpose: 'link', sessionId: session.id });
    if (!begun) throw errors.company_sign_in_away();
    return { address: begun.address };
  }),

  beginReauthentication: os.beginReauthentication.handler(async ({ context, errors }) => {
    const { companyProvider, session, db } = context;
    if (!companyProvider || !(await findLink(db.systemPool, companyProvider.issuer, session.user.id)))
      throw errors.company_not_linked();
    const begun = await beginAttempt(context, { purpose: 'proof', sessionId: session.id });
    if (!begun) throw errors.company_sign_in_away();
    return { address: begun.address };
  }),

  unlink: os.unlink.handler(({ context, errors }) =>
    changeOwnAccount(context, async (account) => {
      const { companyProvider } = context;
      if (!companyProvider) throw errors.company_not_linked();
      const refusal = await unlinkCompany(account, companyProvider);
      if (refusal) throw errors[refusal]();
      return {};
    }),
  ),
});
