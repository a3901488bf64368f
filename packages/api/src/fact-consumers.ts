import type { FactConsumer } from './platform/facts/fact-consumer.ts';
import { liveFromFacts } from './platform/facts/live-from-facts.ts';

/** Everybody who follows the facts: one line each. A consumer that goes is deleted from its table by a migration. */
export const factConsumers: readonly FactConsumer[] = [liveFromFacts];
