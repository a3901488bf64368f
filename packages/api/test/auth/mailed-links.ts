import { expect } from 'vitest';
import type { ApiFixture } from '../api-fixture.ts';

type Mailbox = Pick<ApiFixture, 'mails'>;
/** The pages of the web app that a mail opens with a token. */
type LinkedPage = 'forgot-password' | 'invitation';

/** The tokens of the links to a page that were mailed to an address, in the order of their arrival. Other mails have none. */
export function mailedTokens({ mails }: Mailbox, email: string, page: LinkedPage): string[] {
  const link = new RegExp(`/${page}\\?token=(\\S+)`);
  return mails
    .filter(({ to }) => to === email)
    .flatMap(({ text }) => link.exec(text)?.[1] ?? [])
    .map(decodeURIComponent);
}

/** The newest of them, as soon as there are so many: an account gets other mails too, at any time. */
export async function mailedToken(api: Mailbox, email: string, page: LinkedPage, count = 1): Promise<string> {
  await expect.poll(() => mailedTokens(api, email, page).length).toBeGreaterThanOrEqual(count);
  return mailedTokens(api, email, page).at(-1)!; // polled for above
}
