import { nameOwner, OFFLINE_PREFIX, type OfflineOwner } from '../offline/offline-copy.ts';

/** Where somebody is: without a person when an address named the workspace and nobody was asked yet. */
type Place = { workspaceId: string; userId?: string };

/** Of this tab, and of whatever is opened as a copy of it. `theme.js` reads these places as well. */
const TAB = 'workspace';
/** The one of the tab that was looked at last: a new tab begins there. */
const LAST = `${OFFLINE_PREFIX}workspace`;
/** What names it in an address. */
const NAME = 'workspace';

let here = readPlace();

/** The workspace that this tab is in. Undefined before the first answer of the server, which then says where the person is. */
export function workspaceHere(): string | undefined {
  return here?.workspaceId;
}

/** Whose tab it is, and where; undefined before the server has said both. */
export function placeHere(): OfflineOwner | undefined {
  return here?.userId === undefined ? undefined : { workspaceId: here.workspaceId, userId: here.userId };
}

/**
 * Notes where the server says that somebody is. A tab that was sent elsewhere, or where the same person is elsewhere, stays there: it asks
 * for itself, and hears whether it may.
 */
export function noteArrival(place: OfflineOwner): void {
  const isElsewhere = here && here.workspaceId !== place.workspaceId;
  const isOfOther = here?.userId !== undefined && here.userId !== place.userId;
  if (!isElsewhere || isOfOther) here = place;
  keepPlace();
}

/** The next document of this tab begins wherever the person is then. */
export function clearPlace(): void {
  here = undefined;
  withStorage(() => sessionStorage.removeItem(TAB));
  clearLast();
}

/** New tabs begin somewhere else. */
export function clearLast(): void {
  withStorage(() => localStorage.removeItem(LAST));
}

/** A tab that is looked at is where new ones begin. */
export function keepPlace(): void {
  const place = placeHere();
  if (!place) return;
  withStorage(() => {
    sessionStorage.setItem(TAB, nameOwner(place));
    localStorage.setItem(LAST, nameOwner(place));
  });
}

/** What names the workspace to the server, beside the other headers of a request. */
export function workspaceHeader(): Record<string, string> {
  return here ? { 'x-workspace': here.workspaceId } : {};
}

/** An address of ours that the browser asks for by itself, as it does for pictures and files, with the name of the workspace. Others stay. */
export function inWorkspace(address: string): string {
  if (!here || !address.startsWith('/api/')) return address;
  return `${address}${address.includes('?') ? '&' : '?'}${NAME}=${encodeURIComponent(here.workspaceId)}`;
}

/** By the address, which is then as short as before; else where the tab was; else where the last one was. */
function readPlace(): Place | undefined {
  const named = takeName();
  const kept = withStorage(() => sessionStorage.getItem(TAB) ?? localStorage.getItem(LAST));
  const [workspaceId, userId] = kept?.split(':') ?? [];
  if (named && named !== workspaceId) {
    // A reload has the short address.
    withStorage(() => sessionStorage.setItem(TAB, named));
    return { workspaceId: named };
  }
  return workspaceId ? { workspaceId, ...(userId && { userId }) } : undefined;
}

function takeName(): string | null {
  // Pages are drawn while building, where there is no address of a visitor.
  if (typeof history === 'undefined') return null;
  const url = new URL(location.href);
  const named = url.searchParams.get(NAME);
  if (named === null) return null;
  url.searchParams.delete(NAME);
  history.replaceState(history.state, '', url);
  return named;
}

/** Undefined where storage is off: each document then is where its person is in the longest, or where its address says. */
function withStorage<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
