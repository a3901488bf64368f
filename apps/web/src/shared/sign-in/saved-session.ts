import {
  clearOfflineCopies,
  clearOfflineData,
  nameOwner,
  readOfflineCopies,
  saveOfflineCopy,
} from '../offline/offline-copy.ts';
import { dropWriting, keepWritingInTab, returnWriting } from '../offline/interrupted-writing.ts';
import { keepChosenLanguage } from '../languages/chosen-language.ts';
import { noteArrival, workspaceHere } from '../workspaces/tab-workspace.ts';
import type { SessionData } from './sign-in-calls.ts';

/**
 * The session itself is in a cookie that scripts cannot read. This one, without any secret, lives exactly as long and
 * tells that the saved user may be shown: it is gone with the browser unless Remember me was chosen.
 */
const MARKER = 'signed-in';

/**
 * The signed-in user in the workspace of this tab, and the session's end, from the last visit; undefined when there is none or it is
 * over. A person has one session, whose end the tabs of other workspaces may have heard of later.
 */
export function readSavedSession(): SessionData | undefined {
  const kept = readMarker() === undefined ? [] : readOfflineCopies('session').filter(isSession);
  const expiresAt = kept
    .map((session) => session.expiresAt)
    .sort(byTime)
    .at(-1);
  if (expiresAt !== undefined && Date.parse(expiresAt) > Date.now()) {
    const here = kept.find(({ workspace }) => workspace.id === workspaceHere());
    return here && { ...here, expiresAt };
  }
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
  const userId = session.user.id;
  if (readOfflineCopies('session').some((kept) => !isSession(kept) || kept.user.id !== userId))
    clearOfflineData();
  const owner = { userId, workspaceId: session.workspace.id };
  noteArrival(owner);
  saveOfflineCopy('session', session, nameOwner(owner));
  returnWriting(userId);
}

/** Leaves nothing of the session in the browser. Of a session that ended by itself the tab keeps what `interrupted`, its user, was writing. */
export function clearSession(interrupted?: string): void {
  document.cookie = `${MARKER}=; Max-Age=0; Path=/; SameSite=Lax`;
  if (interrupted === undefined) dropWriting();
  else keepWritingInTab(interrupted);
  clearOfflineCopies();
}

function readMarker(): string | undefined {
  return new RegExp(`(?:^|; )${MARKER}=(\\w+)`).exec(document.cookie)?.[1];
}

function byTime(one: string, other: string): number {
  return Date.parse(one) - Date.parse(other);
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
