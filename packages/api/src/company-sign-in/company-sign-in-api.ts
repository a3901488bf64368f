import { companySignInContract } from '@app/contracts/company-sign-in/company-sign-in-contract';
import { changeOwnAccount, readOwnAccount } from '../platform/account/own-account.ts';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { beginAttempt } from './company-attempts.ts';
import { findLink, removeLink } from './company-identities.ts';
import { hasOtherWayIn } from './other-ways-in.ts';

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
    changeOwnAccount(context, async ({ client, userId, emit }) => {
      const { companyProvider } = context;
      if (!companyProvider) throw errors.company_not_linked();
      if (!(await hasOtherWayIn(client, userId))) throw errors.company_only_way_in();
      if (!(await removeLink(client, companyProvider.issuer, userId))) throw errors.company_not_linked();
      // A sign-in that waits for its code ends with the link that began it.
      await client.query('DELETE FROM verifications WHERE value = $1', [userId]);
      const values = { provider: companyProvider.name };
      await emit({ type: 'account.company_unlinked', subject: userId, values });
      return {};
    }),
  ),
});
