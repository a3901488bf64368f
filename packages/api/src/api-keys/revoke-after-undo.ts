import type { FactConsumer } from '../platform/facts/fact-consumer.ts';
import { removeKeysSince } from './api-keys-queries.ts';

/** Whoever takes their account back takes back the keys that were made since it went: somebody else may hold them. */
export const revokeAfterUndo: FactConsumer = {
  name: 'api-keys-after-undo',
  order: 'none',
  atDepthLimit: 'hear',
  types: ['account.email_change_undone'],
  async handle(page, facts) {
    for (const fact of facts) {
      const { subject: userId, values } = fact;
      if (userId === null || typeof values.since !== 'string') continue;
      const scope = page.causedBy(fact);
      for (const { id, ...about } of await removeKeysSince(scope, userId, values.since))
        await scope.emit({ type: 'api_key.revoked', subject: id, values: about });
    }
  },
};
