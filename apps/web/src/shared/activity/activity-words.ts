import { t } from '../messages.ts';
import type { Activity } from './activity-queries.ts';
import { sayValues } from './say-values.ts';

/**
 * What happened, in the reader's language: the catalogue `activity-facts` must be there (`useMessages`). An older entry, or one
 * kept from then for offline, has its own sentence.
 */
export function describeActivity({ fact, description }: Pick<Activity, 'fact' | 'description'>): string {
  // One key for each fact of the audit log: the compiler misses the one that has no words.
  return fact ? t(`activity.fact.${fact.type}`, sayValues(fact.type, fact.values)) : (description ?? '');
}
