import { pushContract } from '@app/contracts/notifications/push-contract';
import { changeOwnAccount, readOwnAccount, type OwnAccount } from '../../platform/account/own-account.ts';
import { implementEndpoints } from '../../platform/implement-endpoints.ts';
import type { SignedInContext } from '../../platform/request-context.ts';
import { findOpenBrowsers, keepBrowser, listBrowsers, removeBrowser, setShowsText } from './push-browsers.ts';
import { pushTest } from './push-news.ts';

const os = implementEndpoints(pushContract);

const present = async (
  { push, session }: SignedInContext,
  account: Pick<OwnAccount, 'client' | 'userId'>,
) => ({ publicKey: push.publicKey, items: await listBrowsers(account, session.id) });

export const pushApi = {
  listBrowsers: os.listBrowsers.handler(({ context }) =>
    readOwnAccount(context, (account) => present(context, account)),
  ),

  addBrowser: os.addBrowser.handler(({ input, context }) =>
    changeOwnAccount(context, async (account) => {
      const { session, userAgent } = context;
      await keepBrowser(account, { ...input, sessionId: session.id, userAgent: userAgent ?? '' });
      return present(context, account);
    }),
  ),

  changeBrowser: os.changeBrowser.handler(({ input, context, errors }) =>
    changeOwnAccount(context, async (account) => {
      if (!(await setShowsText(account, input.browserId, input.showsText))) throw errors.browser_not_found();
      return present(context, account);
    }),
  ),

  removeBrowser: os.removeBrowser.handler(({ input, context, errors }) =>
    changeOwnAccount(context, async (account) => {
      if (!(await removeBrowser(account, input.browserId))) throw errors.browser_not_found();
      return present(context, account);
    }),
  ),

  testBrowser: os.testBrowser.handler(async ({ input: { browserId }, context, errors }) => {
    const userId = context.session.user.id;
    const [browser] = await readOwnAccount(context, ({ client }) =>
      findOpenBrowsers(client, userId, browserId),
    );
    if (!browser) throw errors.browser_not_found();
    await context.change((scope) => context.jobs.enqueue(scope, pushTest, browserId, { browserId, userId }));
    return {};
  }),
};
