/** Whose browser this is: another person who signs in here is asked anew. */
export const OWNER = 'push.person';

/** Whoever signs out, or takes this browser from the list, hears nothing more in it. */
export async function leaveBrowserHere(): Promise<void> {
  if (localStorage.getItem(OWNER) === null) return;
  localStorage.removeItem(OWNER);
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}
