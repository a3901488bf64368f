import { isPermitted } from '@app/domain/auth/is-permitted';
import type { Permission, Role } from '@app/domain/auth/permissions';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { onSessionEnded, onWorkspaceLost, orpc } from './api.ts';
import { disconnectLiveEvents, liveTelling, onReachability } from './live/live-events.ts';
import { noteSignOut } from './offline/interrupted-writing.ts';
import { clearWorkspaceCopies, nameOwner, onSessionOfOtherTab } from './offline/offline-copy.ts';
import { clearOutbox } from './outbox/clear-outbox.ts';
import { leaveBrowserHere } from './notifications/leave-browser-here.ts';
import { paths } from './paths.ts';
import { queryClient } from './query-client.ts';
import { clearSession, readSavedSession, saveSession } from './sign-in/saved-session.ts';
import {
  fetchAnySession,
  fetchSession,
  postRefresh,
  postSignOut,
  SignInFailure,
} from './sign-in/sign-in-calls.ts';
import { setTheme, themeChoice } from './theme.ts';
import { clearLast, clearPlace, keepPlace, placeHere, workspaceHere } from './workspaces/tab-workspace.ts';
import type { SessionData } from './sign-in/sign-in-calls.ts';

export type SessionUser = SessionData['user'] & {
  role: Role;
  permissions: readonly Permission[];
  /** Nothing else may be done before a second factor is set up. */
  mustSetUpTwoFactor: boolean;
};

export type Session =
  /** `isUnreachable`: the server did not answer yet. */
  | { status: 'loading'; user?: undefined; isUnreachable: boolean }
  | { status: 'signed-out'; user?: undefined }
  /** They are signed in and no member of the workspace of this tab. */
  | { status: 'not-a-member'; user?: undefined; lost: LostWorkspace }
  | { status: 'signed-in'; user: SessionUser; workspace: SessionData['workspace'] };

/** Its name where it is known. */
export type LostWorkspace = { name: string | null };

const ASK_AGAIN_MS = 5_000;
const REFRESH_LEAD_MS = 5 * 60_000;
const EARLIEST_REFRESH_MS = 60_000;

const sessionKey = orpc.auth.getSession.queryKey({ input: {} });
const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async () => {
    const session = await readSession();
    // Whoever is signing out is led to the sign-in page by that alone.
    if (!session && isLeaving) return queryClient.getQueryData<SessionData>(sessionKey) ?? null;
    if (session) keepSession(session);
    else if (!lost) dropSession();
    return session;
  },
  staleTime: 60_000,
  // It decides whether there is a stream, and the stream tells whether the server can be reached.
  networkMode: 'always',
  refetchOnReconnect: true,
  // Nobody knows yet who is signed in: asked again until the server answers.
  refetchInterval: ({ state }) =>
    state.status === 'error' && state.data === undefined ? ASK_AGAIN_MS : false,
  // The dashboard paints at once for whoever was here; the server's answer follows.
  initialData: readSavedSession,
  initialDataUpdatedAt: 0,
});

/** From the press on Sign Out on, until the server cannot be told. */
let isLeaving = false;
let wasSignedIn = false;
/** From the answer on that says so: only a new document leads elsewhere. */
let lost: LostWorkspace | undefined;
let refreshTimer: ReturnType<typeof setTimeout> | undefined;

onSessionEnded(endSession);
onWorkspaceLost(() => void readSessionAnew());
/** A stream that breaks off may have been cut because the session is over, or may do other things now. */
let wasLive = false;
onReachability(() => {
  const isLive = liveTelling.isConnected();
  if (wasLive && !isLive && isSignedIn()) void readSessionAnew();
  wasLive = isLive;
});
onSessionOfOtherTab(ownerHere, () => void readSessionAnew());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && isSignedIn()) keepPlace();
});

/**
 * Who is signed in; `loading` until the server has answered for the first time. A server that cannot be reached says nothing about a session: the
 * sign-in page cannot be reached either, and a page that went there without a connection came back here again and again.
 */
export function useSession(): Session {
  const { data, error } = useQuery(sessionQuery);
  if (data === undefined)
    // fetch rejects with a TypeError when the server cannot be reached.
    return { status: 'loading', isUnreachable: error instanceof TypeError };
  if (lost) return { status: 'not-a-member', lost };
  return data
    ? { status: 'signed-in', user: toUser(data), workspace: data.workspace }
    : { status: 'signed-out' };
}

/** Whose place in this browser it is, of what is kept for one person in one workspace. Who changes has a new document (`keepSession`). */
export function ownerHere(): string {
  const data = queryClient.getQueryData(sessionQuery.queryKey);
  return data ? nameOwner({ userId: data.user.id, workspaceId: data.workspace.id }) : '';
}

/** Asks who is signed in; waits for the answer only when the last visit left none. */
export async function findSession(): Promise<void> {
  const answer = queryClient.prefetchQuery(sessionQuery);
  if (queryClient.getQueryData(sessionQuery.queryKey) === undefined) await answer;
}

/** Whether somebody was signed in when last heard; asks nobody. */
export function isSignedIn(): boolean {
  return Boolean(queryClient.getQueryData(sessionQuery.queryKey));
}

/** Asks anew who is signed in, after somebody changed what belongs to their session. */
export function readSessionAnew(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
}

/** What the account's owner has just chosen, so that no older answer brings the former choice back. */
export function noteChoice(choice: Partial<Pick<SessionData['user'], 'language' | 'theme'>>): void {
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  if (!session) return;
  const noted = { ...session, user: { ...session.user, ...choice } };
  void queryClient.cancelQueries({ queryKey: sessionQuery.queryKey });
  queryClient.setQueryData(sessionQuery.queryKey, noted);
  saveSession(noted);
}

/** Whether this tab had a session that is over now. */
export function hasSessionEnded(): boolean {
  return wasSignedIn && !isSignedIn();
}

/** Whether the signed-in user may do this; false for strangers. Render again through `useSession`. */
export function can(permission: Permission): boolean {
  const data = queryClient.getQueryData(sessionQuery.queryKey);
  return data ? isPermitted(toUser(data).permissions, permission) : false;
}

/** What a new campaign of the workspace begins with. */
export function usualQuietHours(): SessionData['workspace']['quietHours'] {
  return queryClient.getQueryData(sessionQuery.queryKey)?.workspace.quietHours ?? null;
}

/**
 * Ends the session and leaves for the sign-in page with a new document, so that nothing stays in memory.
 * @throws {SignInFailure} when the server could not be told; the session then goes on.
 */
export async function signOut(): Promise<void> {
  isLeaving = true;
  noteSignOut(true);
  try {
    await postSignOut();
  } catch (error) {
    isLeaving = false;
    noteSignOut(false);
    throw error;
  }
  dropSession();
  clearPlace();
  await clearOutbox();
  await leaveBrowserHere().catch(() => undefined); // the server pushes nothing there by now
  location.assign(paths.login);
}

/** Who is signed in, in the workspace of this tab, unless they are no member of it. */
async function readSession(): Promise<SessionData | null> {
  try {
    const session = await fetchSession();
    lost = undefined;
    return session;
  } catch (error) {
    if (!isWorkspaceLost(error)) throw error;
    const elsewhere = await fetchAnySession();
    const person = placeHere()?.userId;
    if (elsewhere && (person === undefined || person === elsewhere.user.id)) loseWorkspace();
    // Somebody else signed in to this browser, or nobody.
    else clearPlace();
    return lost ? null : elsewhere;
  }
}

function isWorkspaceLost(error: unknown): boolean {
  return error instanceof SignInFailure && error.code === 'workspace_not_found';
}

/** Nothing of it stays in this tab or on this device; what belongs to other workspaces does. */
function loseWorkspace(): void {
  // Other requests of before may be refused as well: what the page shows of other workspaces by then stays.
  if (lost) return;
  lost = { name: queryClient.getQueryData(sessionKey)?.workspace.businessName ?? null };
  clearTimeout(refreshTimer);
  clearData();
  clearLast();
  const workspaceId = workspaceHere();
  if (workspaceId) clearWorkspaceCopies(workspaceId);
}

/** Nobody is signed in any more: everything of this person leaves the browser, except what they are writing in this tab. */
function endSession(): void {
  // The 401s of requests that were on their way must not lead elsewhere.
  if (isLeaving) return;
  dropSession();
  clearData();
  queryClient.setQueryData(sessionQuery.queryKey, null);
}

function clearData(): void {
  disconnectLiveEvents();
  queryClient.removeQueries({ predicate: (query) => query.queryHash !== sessionHash() });
}

function sessionHash(): string | undefined {
  return queryClient.getQueryCache().find({ queryKey: sessionQuery.queryKey })?.queryHash;
}

function keepSession(session: SessionData): void {
  const before = queryClient.getQueryData(sessionQuery.queryKey);
  // Somebody else signed in from another tab: a new document forgets what the first person saw.
  if (before && (before.user.id !== session.user.id || before.workspace.id !== session.workspace.id))
    location.reload();
  saveSession(session);
  // Chosen on whichever device.
  if (session.user.theme && session.user.theme !== themeChoice()) setTheme(session.user.theme);
  scheduleRefresh(Date.parse(session.expiresAt));
}

function dropSession(): void {
  wasSignedIn ||= isSignedIn();
  clearTimeout(refreshTimer);
  clearSession(isLeaving ? undefined : queryClient.getQueryData(sessionKey)?.user.id);
}

/** Five minutes before the end, and never sooner than in a minute. */
function scheduleRefresh(expiresAt: number): void {
  clearTimeout(refreshTimer);
  const wait = Math.max(expiresAt - REFRESH_LEAD_MS - Date.now(), EARLIEST_REFRESH_MS);
  refreshTimer = setTimeout(() => void refreshSession(expiresAt), wait);
}

async function refreshSession(expiresAt: number): Promise<void> {
  try {
    const { session } = await postRefresh();
    keepSession(session);
    queryClient.setQueryData(sessionQuery.queryKey, session);
  } catch (error) {
    if (isWorkspaceLost(error)) return void readSessionAnew();
    const isOver = error instanceof SignInFailure && error.code === 'signed_out';
    // Without a connection the session may still be good on the server; its own end is the limit.
    if (isOver || Date.now() >= expiresAt) endSession();
    else scheduleRefresh(expiresAt);
  }
}

function toUser(data: SessionData): SessionUser {
  return {
    ...data.user,
    role: data.role,
    mustSetUpTwoFactor: data.mustSetUpTwoFactor,
    // The server lists only permissions of the domain's table.
    permissions: data.permissions as Permission[],
  };
}
