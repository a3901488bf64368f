import type { RunVariable } from '@app/domain/delivery/run-message';

/** The second message while it is being chosen. */
export interface FallbackDraft {
  channelId: string;
  templateId: string | null;
  variables: Readonly<Record<string, RunVariable>>;
  /** The time limit of the first message. */
  afterSeconds: number;
}

/** In seconds: a quarter of an hour, an hour, four hours, a day, three days. */
export const limits: readonly [number, number, ...number[]] = [900, 3_600, 14_400, 86_400, 259_200];

/** In the words of the API; null without one. What is not complete keeps the form from being sent. */
export function toFallback(fallback: FallbackDraft | null) {
  if (fallback === null || fallback.templateId === null) return null;
  return { ...fallback, templateId: fallback.templateId, variables: { ...fallback.variables } };
}
