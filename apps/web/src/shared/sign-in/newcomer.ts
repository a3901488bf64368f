const KEY = 'newcomer';

/** Somebody pressed to begin, on the landing page of this tab. */
export function noteNewcomer(): void {
  try {
    sessionStorage.setItem(KEY, '1');
  } catch {
    // Storage is off: they see the sign-in, which leads on to an account as well.
  }
}

/** Whether somebody who pressed to begin arrives, once: whoever comes back to the sign-in has an account. */
export function takeNewcomer(): boolean {
  try {
    const isNew = sessionStorage.getItem(KEY) !== null;
    sessionStorage.removeItem(KEY);
    return isNew;
  } catch {
    return false;
  }
}
