import type { activityFact } from '@app/contracts/activity/activity-contract';
import { isAudited, isFactType, readDefinition } from '@app/domain/events/fact-catalogue';
import type { z } from 'zod';

export type SaidFact = z.infer<typeof activityFact>;

/** A fact as the reader's language says it, null for what was taken out; null altogether for one that the catalogue has no more. */
export function sayFact(type: string | null, values: Record<string, unknown>): SaidFact | null {
  if (type === null || !isFactType(type) || !isAudited(type)) return null;
  const { personal = [] } = readDefinition(type);
  const erased = Object.fromEntries(personal.map((name) => [name, null]));
  // They were checked against the catalogue when the fact was told.
  return { type, values: { ...erased, ...values } as SaidFact['values'] };
}
