import type { Reply } from '@app/domain/integrations/contact-connector';
import { recordOf } from './json-values.ts';

/** A pause that a service does not name itself. */
export const USUAL_PAUSE_MS = 10_000;

/**
 * A 200 that the service did not mean: the page of a proxy, an empty body, JSON of another form. It says nothing, not even that there is nothing, so the
 * same is asked again after a pause.
 */
export const unreadable: Extract<Reply<never>, { ok: false }> = {
  ok: false,
  problem: 'response_unreadable',
  detail: null,
  retryAfterMs: USUAL_PAUSE_MS,
};

/** The list that an answer must hold under this name. */
export function listIn(body: unknown, name: string): Reply<readonly unknown[]> {
  const { [name]: list } = recordOf(body);
  return Array.isArray(list) ? { ok: true, value: list } : unreadable;
}
