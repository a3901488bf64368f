import {
  clearOfflineCopies,
  clearOfflineData,
  readOfflineCopy,
  saveOfflineCopy,
} from '../offline/offline-copy.ts';
import { keepChosenLanguage } from '../languages/chosen-language.ts';
import type { SessionData } from './sign-in-calls.ts';

/**
 * The session itself is in a cookie that scripts cannot read. This one, without any secret, lives exactly as long and
 * tells that the saved user may be shown: it is gone with the browser unless Remember me was chosen.
 */
const MARKER = 'signed-in';

/** The signed-in user and the session's end from the last visit; undefined when there is none or it is over. */
export function readSavedSession(): SessionData | undefined {
  const saved = readMarker() === undefined ? undefined : readOfflineCopy('session');
  if (isSession(saved) && Date.parse(saved.expiresAt) > Date.now()) return saved;
  // The session is over, perhaps while the browser was closed: nothing of it stays.
  clearOfflineCopies();
  return undefined;
}

/** Keeps what the server said of the session. `isRemembered` is needed when it begins; later it stays. */
export function saveSession(session: SessionData, isRemembered = readMarker() === 'remembered'): void {
  const maxAge = Math.floor((Date.parse(session.expiresAt) - Date.now()) / 1000);
  document.cookie = `${MARKER}=${isRemembered ? `remembered; Max-Age=${maxAge}` : 'once'}; Path=/; SameSite=Lax`;
  // The next page comes in the language of the account, and so does the sign-in page afterwards.
  if (session.user.language) keepChosenLanguage(session.user.language);
  if (!isOfSamePerson(readOfflineCopy('session'), session)) clearOfflineData();
  saveOfflineCopy('session', session);
}

export function forgetSession(): void {
  document.cookie = `${MARKER}=; Max-Age=0; Path=/; SameSite=Lax`;
  clearOfflineCopies();
}

function readMarker(): string | undefined {
  return new RegExp(`(?:^|; )${MARKER}=(\\w+)`).exec(document.cookie)?.[1];
}

function isOfSamePerson(saved: unknown, session: SessionData): boolean {
  return isSession(saved) && saved.user.id === session.user.id;
}

function isSession(value: unknown): value is SessionData {
  return (
    typeof value === 'object' &&
    value !== null &&
    'user' in value &&
    'workspace' in value &&
    'permissions' in value &&
    Array.isArray(value.permissions) &&
    'expiresAt' in value &&
    typeof value.expiresAt === 'string'
  );
}
