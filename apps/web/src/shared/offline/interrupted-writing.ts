import { OFFLINE_PREFIX } from './offline-copy.ts';

/** The window says this before a session that ended is removed: open forms store what was typed a moment ago. */
export const SESSION_ENDS = 'session-ends';

/** Forms, messages and campaigns that somebody writes and has not saved. */
const WRITING = new RegExp(`^${OFFLINE_PREFIX}(form|draft|bulk-message|campaign-unanswered)\\b`);
/** Of this tab: what its person was writing when the session ended. */
const PLACE = 'interrupted-writing';
/** Of this browser: the person signed out here, so no tab keeps anything. */
const SIGNED_OUT = 'signed-out';

type Interrupted = { userId: string; entries: Record<string, string> };

/** Moves what this person is writing from local storage into this tab, unless they have signed out in this browser. */
export function keepWritingInTab(userId: string): void {
  withStorage(() => {
    if (localStorage.getItem(SIGNED_OUT) !== null) return dropWriting();
    dispatchEvent(new Event(SESSION_ENDS));
    const keys = Object.keys(localStorage).filter((key) => WRITING.test(key) && key.includes(`:${userId}`));
    const before = readInterrupted();
    const entries = before?.userId === userId ? before.entries : {};
    for (const key of keys) entries[key] = localStorage.getItem(key) ?? '';
    if (Object.keys(entries).length === 0) return;
    sessionStorage.setItem(PLACE, JSON.stringify({ userId, entries } satisfies Interrupted));
  });
}

/** Gives a person who signed in again what they were writing in this tab. Another person gets nothing, and it is deleted. */
export function returnWriting(userId: string): void {
  withStorage(() => {
    localStorage.removeItem(SIGNED_OUT);
    const interrupted = readInterrupted();
    dropWriting();
    if (interrupted?.userId !== userId) return;
    // What another tab has written since is newer.
    for (const [key, text] of Object.entries(interrupted.entries))
      if (localStorage.getItem(key) === null) localStorage.setItem(key, text);
  });
}

export function dropWriting(): void {
  withStorage(() => sessionStorage.removeItem(PLACE));
}

/** Whether the person leaves this browser by their own will: the other tabs hear of the end of the session, and keep nothing either. */
export function noteSignOut(isSigningOut: boolean): void {
  withStorage(() => {
    if (isSigningOut) localStorage.setItem(SIGNED_OUT, 'yes');
    else localStorage.removeItem(SIGNED_OUT);
  });
}

function readInterrupted(): Interrupted | undefined {
  try {
    const { userId, entries } = JSON.parse(sessionStorage.getItem(PLACE) ?? 'null') as Interrupted;
    const isWhole = typeof userId === 'string' && Object.entries(entries).every(isWriting);
    return isWhole ? { userId, entries } : undefined;
  } catch {
    return undefined; // nothing, or damaged
  }
}

function isWriting([key, text]: [string, unknown]): boolean {
  return WRITING.test(key) && typeof text === 'string';
}

function withStorage(work: () => void): void {
  try {
    work();
  } catch {
    // Storage is off or full: what is not saved lasts as long as the page.
  }
}
