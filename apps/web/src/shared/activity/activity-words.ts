import { activeLocale, t, type MessageValues } from '../messages.ts';
import type { Activity } from './activity-queries.ts';

/**
 * What happened, in the reader's language: the catalogue `activity-facts` must be there (`useMessages`). An older entry, or one
 * kept from then for offline, has its own sentence.
 */
export function describeActivity({ fact, description }: Pick<Activity, 'fact' | 'description'>): string {
  // One key for each fact of the audit log: the compiler misses the one that has no words.
  return fact ? t(`activity.fact.${fact.type}`, sayValues(fact.values)) : (description ?? '');
}

type Values = NonNullable<Activity['fact']>['values'];

function sayValues(values: Values): MessageValues {
  const said = Object.entries(values).map(([name, value]) => [name, sayValue(value)] as const);
  return Object.fromEntries(said);
}

function sayValue(value: Values[string]): string | number {
  if (Array.isArray(value)) return names().format(value.map((item) => String(sayValue(item))));
  if (value === null) return t('activity.erased');
  return typeof value === 'boolean' ? String(value) : value;
}

const names = () => new Intl.ListFormat(activeLocale(), { type: 'unit' });
