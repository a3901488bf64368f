import type { Reply } from '@app/domain/integrations/contact-connector';

/**
 * Calls with a token that is fetched at the first call, and once more where the service does not take it any longer (`credentials_wrong`). A token
 * ends also in the middle of a sync: of several calls that meet this at once, the first renews it for all.
 */
export function createRenewedToken<Token>(fetchToken: () => Promise<Reply<Token>>) {
  let current: Promise<Reply<Token>> | null = null;
  return async <Value>(use: (token: Token) => Promise<Reply<Value>>): Promise<Reply<Value>> => {
    for (const isLast of [false, true]) {
      const used = (current ??= fetchToken());
      const got = await used;
      if (!got.ok) {
        if (current === used) current = null;
        return got;
      }
      const reply = await use(got.value);
      if (reply.ok || reply.problem !== 'credentials_wrong' || isLast) return reply;
      if (current === used) current = null;
    }
    throw new Error('The second attempt answers.');
  };
}
