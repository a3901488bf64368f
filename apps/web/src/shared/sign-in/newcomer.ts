const KEY = 'newcomer';
/** The part of the sign-in's address that says so: it outlives a reload, and nothing else leads there with it. */
const PART = 'begin';

/** Somebody pressed to begin, on the landing page of this tab. */
export function noteNewcomer(): void {
  try {
    sessionStorage.setItem(KEY, '1');
  } catch {
    // Storage is off: they see the sign-in, which leads on to an account as well.
  }
}

/** Whether somebody who pressed to begin arrives, once. */
export function takeNewcomer(): boolean {
  try {
    const isNew = sessionStorage.getItem(KEY) !== null;
    sessionStorage.removeItem(KEY);
    return isNew;
  } catch {
    return false;
  }
}

/** What the address of the sign-in says of a stranger whom the dashboard sends there. */
export function newcomerPart(): string {
  return takeNewcomer() ? `&${PART}=1` : '';
}

/** Whether the address of this sign-in says that somebody pressed to begin. */
export function isNewcomerHere(): boolean {
  return new URLSearchParams(location.search).has(PART);
}
