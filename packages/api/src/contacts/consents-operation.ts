import { changeConsent } from '@app/database/contacts/change-consent';
import { actorOf } from '@app/domain/auth/caller';
import type { SteppingKind } from '../platform/operations/step-operation.ts';
import { nextOfOperation, type FrozenChoice } from './contact-choice.ts';

const AT_ONCE = 1_000;

export type ConsentsWish = {
  choice: FrozenChoice;
  kind: 'opt_in' | 'opt_out';
  text: string;
  /** When it was said. */
  at: string;
};

/**
 * Records what many said about marketing, a thousand at a time. Whoever opted out stays so when the others opt in: only what is
 * recorded for one person takes an opt-out back.
 */
export const contactConsents = {
  name: 'contact-consents',
  async step(scope, operation) {
    const { choice, kind, text, at } = operation.wish as ConsentsWish; // as it was begun
    const { contactIds: ids, resume, isOver } = await nextOfOperation(scope, operation, choice, AT_ONCE);
    // Locked, so that nobody opts out between the look and the record.
    const { rows } = await scope.query<{ id: string }>(
      `SELECT id FROM contacts WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND ($3 = 'opt_out' OR opted_out_at IS NULL)
        ORDER BY id FOR NO KEY UPDATE`,
      [scope.workspaceId, ids, kind],
    );
    await changeConsent(
      scope,
      rows.map(({ id }) => ({
        ...{ workspaceId: scope.workspaceId, contactId: id, kind, source: 'staff', text, at: new Date(at) },
        recordedBy: actorOf(scope.caller).name,
      })),
    );
    return {
      done: rows.length,
      ...{ resume, isOver },
      // What was asked for is forgotten by the end, which tells what was recorded.
      result: { optedIn: kind === 'opt_in' ? rows.length : 0 },
    };
  },
  async onEnd(scope, { operation }) {
    const count = Number(operation.done);
    const kind = (operation.result.optedIn ?? 0) > 0 ? 'opt_in' : 'opt_out';
    if (count > 0)
      await scope.emit({ type: 'contacts.consent_recorded', subject: null, values: { kind, count } });
  },
} satisfies SteppingKind;
