import { isFactType, readDefinition } from '@app/domain/events/fact-catalogue';
import type { LiveTopic } from '@app/domain/live/live-topics';
import { storeLiveEvents } from '../live-events.ts';
import type { FactConsumer, StoredFact } from './fact-consumer.ts';

type Sign = { topic: LiveTopic; payload: Record<string, unknown> };

/**
 * Tells the browsers what the catalogue says of each fact. As a consumer, because live events get their ids one after the
 * other: no act waits for that, and none is left untold whose process died after its commit.
 */
export const liveFromFacts: FactConsumer = {
  name: 'live-events',
  order: 'none',
  atDepthLimit: 'hear',
  types: null,
  isPrompt: 'each',
  async handle(scope, facts) {
    const signs = new Map(facts.flatMap(signsOf).map((sign) => [JSON.stringify(sign), sign]));
    if (signs.size > 0) await storeLiveEvents(scope, scope.workspaceId, joinContacts([...signs.values()]));
  },
};

/** So many contacts of one page are named one by one. */
const NAMED_CONTACTS = 20;

/** One event that names no contact stands for many: a sync or an import would else send every browser thousands a second. */
function joinContacts(signs: readonly Sign[]): readonly Sign[] {
  const isContact = ({ topic, payload }: Sign) => topic === 'contacts' && 'contactId' in payload;
  if (signs.filter(isContact).length <= NAMED_CONTACTS) return signs;
  const others = signs.filter((sign) => sign.topic !== 'contacts');
  return [...others, { topic: 'contacts', payload: {} }];
}

function signsOf({ type, subject, values }: StoredFact): Sign[] {
  if (!isFactType(type)) return [];
  const { live, audit } = readDefinition(type);
  const signs = live.map(({ topic, payload }) => ({ topic, payload: payload?.({ subject, values }) ?? {} }));
  return audit ? [...signs, { topic: 'activities', payload: {} }] : signs;
}
