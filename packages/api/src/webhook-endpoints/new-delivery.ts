import { isFactType, readDefinition } from '@app/domain/events/fact-catalogue';
import { isUuid } from '@app/domain/uuid';
import type { StoredFact } from '../platform/facts/fact-consumer.ts';

export type NewDelivery = {
  id: string;
  endpoint_id: string;
  fact_id: number | null;
  type: string;
  occurred_at: string;
  body: string;
  contact_ids: string[];
  is_manual: boolean;
  /** Of a fact that is several deliveries: which of them. */
  part?: number;
};

/** Every contact that the body names: it goes when one of them is erased. */
export function contactsOf({ type, subjectKind, subject, values }: StoredFact): string[] {
  const definition = isFactType(type) ? readDefinition(type) : undefined;
  const listed = definition?.lists?.kind === 'contact' ? definition.lists.values : [];
  const named = [...listed, 'contactId', 'contactIds', ...(subjectKind === 'contact' ? ['otherIds'] : [])];
  const ids = [subjectKind === 'contact' ? subject : null, ...named.flatMap((name) => values[name] ?? [])];
  return [...new Set(ids.filter((id): id is string => typeof id === 'string' && isUuid(id)))];
}
