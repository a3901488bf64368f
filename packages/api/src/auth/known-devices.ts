import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import { nameCookie } from './cookie-names.ts';
import { readCookie } from './read-cookie.ts';

export type KnownDevices = {
  /** A name for the caller's browser when this address signed in from it before, else null. */
  find(request: Request, email: string): string | null;
  /** The cookie that makes the browser known to this address, beside the others that it knows, under a new name. */
  remember(request: Request, email: string): { cookie: string; device: string };
};

const LIFE_SECONDS = 180 * 24 * 3600;
/** A browser that a family or a desk shares; the longest unused one goes first. */
const MOST_ADDRESSES = 5;

type Entry = { issuedAt: number; device: string; signature: string; text: string };

/**
 * A browser in which somebody signed in keeps a signed note of it, so that the limits for strangers do not hold it up.
 * The note opens nothing, and says neither who nor where: it counts only together with the address that it was made
 * for, and its wrong passwords are counted apart.
 */
export function createKnownDevices({
  secret,
  clock,
  isSecure,
}: {
  secret: string;
  clock: Clock;
  isSecure: boolean;
}): KnownDevices {
  const cookieName = nameCookie('device', { isSecure });
  const key = createHmac('sha256', secret).update('known devices').digest();
  const now = () => Math.floor(clock().getTime() / 1000);
  const sign = (issuedAt: number, device: string, email: string) =>
    createHmac('sha256', key).update(`${issuedAt} ${device} ${email}`).digest('base64url');

  function readEntries(request: Request): Entry[] {
    const value = readCookie(request.headers.get('cookie') ?? '', cookieName) ?? '';
    return value
      .split('~')
      .slice(0, MOST_ADDRESSES)
      .flatMap((text) => {
        const [, issued = '', device = '', signature = ''] =
          /^(\d{1,12})\.([\w-]{16,32})\.([\w-]{43})$/.exec(text) ?? [];
        const issuedAt = Number(issued);
        return device && now() - issuedAt < LIFE_SECONDS ? [{ issuedAt, device, signature, text }] : [];
      });
  }

  function isFor(email: string): (entry: Entry) => boolean {
    return ({ issuedAt, device, signature }) =>
      timingSafeEqual(Buffer.from(signature), Buffer.from(sign(issuedAt, device, email)));
  }

  return {
    find: (request, email) => readEntries(request).find(isFor(email))?.device ?? null,
    remember(request, email) {
      const isOwn = isFor(email);
      const others = readEntries(request).filter((entry) => !isOwn(entry));
      const [issuedAt, device] = [now(), randomBytes(12).toString('base64url')];
      const own = `${issuedAt}.${device}.${sign(issuedAt, device, email)}`;
      const value = [own, ...others.map(({ text }) => text)].slice(0, MOST_ADDRESSES).join('~');
      const attributes = `Max-Age=${LIFE_SECONDS}; Path=/api/auth; HttpOnly; SameSite=Strict`;
      return { cookie: `${cookieName}=${value}; ${attributes}${isSecure ? '; Secure' : ''}`, device };
    },
  };
}
