/** All cookies of ours begin with it. */
export const COOKIE_PREFIX = 'messaging';

type Cookie = 'session_token' | 'second_step' | 'device' | 'company';

/** What a cookie is called; over https its name has browsers keep it to https. */
export function nameCookie(cookie: Cookie, { isSecure }: { isSecure: boolean }): string {
  return `${isSecure ? '__Secure-' : ''}${COOKIE_PREFIX}.${cookie}`;
}

const SESSION = new RegExp(`(?:^|;)\\s*(?:__Secure-)?${COOKIE_PREFIX}\\.session_token=[^;\\s]`);

/** Whether the `cookie` header of a request holds a session, good or not. */
export function bringsSession(cookies: string | null | undefined): boolean {
  return SESSION.test(cookies ?? '');
}
