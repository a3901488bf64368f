import type { FactConsumer } from '../platform/facts/fact-consumer.ts';
import { removeKeysSince } from './api-keys-queries.ts';

/** A person who takes their account back revokes the keys that were made in the meantime: somebody else may hold them. */
export const revokeAfterUndo: FactConsumer = {
  name: 'api-keys-after-undo',
  order: 'none',
  atDepthLimit: 'hear',
  types: ['account.email_change_undone'],
  async handle(page, facts) {
    for (const fact of facts) {
      const { subject: userId, values } = fact;
      if (userId === null || typeof values.since !== 'string') continue;
      await removeKeysSince(page.causedBy(fact), userId, values.since);
    }
  },
};
