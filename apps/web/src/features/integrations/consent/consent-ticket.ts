const KEY = 'integration-consent';

/** What belongs to a way to a service, until the browser comes back. It stays in this tab. */
export type ConsentTicket = { kind: string; ticket: string };

export function storeTicket(ticket: ConsentTicket): void {
  sessionStorage.setItem(KEY, JSON.stringify(ticket));
}

export function readTicket(): ConsentTicket | null {
  const text = sessionStorage.getItem(KEY);
  return text === null ? null : (JSON.parse(text) as ConsentTicket); // stored above
}

/** It is used once: a page that is loaded again has none. */
export function dropTicket(): void {
  sessionStorage.removeItem(KEY);
}

/** Whether the service sent the browser here. */
export const isConsentReturn = (): boolean => {
  const back = new URLSearchParams(location.search);
  return back.has('state') && (back.has('code') || back.has('error'));
};
