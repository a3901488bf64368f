import type { ReadProblem } from '../calls/ask-service.ts';
import { recordOf, textOf } from '../calls/json-values.ts';

/** How long each limit asks to wait where no `Retry-After` came: developers.hubspot.com, usage guidelines. */
const PAUSES: Readonly<Record<string, number>> = {
  SECONDLY: 1_000,
  TEN_SECONDLY_ROLLING: 10_000,
  /** Until midnight of the account: asked again each hour. */
  DAILY: 3_600_000,
};

/** The words of an error, and the pause that its policy means. */
export const readHubspotProblem: ReadProblem = (outcome) => {
  if (outcome.outcome !== 'rejected') return null;
  const { message, policyName } = recordOf(outcome.response.json());
  const pause = PAUSES[textOf(policyName) ?? ''] ?? (outcome.response.status === 423 ? 2_000 : undefined);
  return { detail: textOf(message), ...(pause !== undefined && { retryAfterMs: pause }) };
};
