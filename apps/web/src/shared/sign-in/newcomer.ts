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

/** Whether this sign-in is that of somebody who pressed to begin; its address says so from then on. */
export function isNewcomerHere(): boolean {
  const { pathname, search } = location;
  if (takeNewcomer()) history.replaceState(null, '', `${pathname}${search}${search ? '&' : '?'}${PART}=1`);
  return new URLSearchParams(location.search).has(PART);
}
