import { connectorProblems, type ConnectorProblem } from '@app/domain/integrations/connector-problems';
import type { FactConsumer } from '../../platform/facts/fact-consumer.ts';
import { noteRecovery, noteTrouble } from '../connection-state.ts';

/** A line that was paused, because it failed for days or because only a person can mend it, is an error of its connection, until it delivers again. */
export const followLines: FactConsumer = {
  name: 'connector-lines',
  order: 'none',
  atDepthLimit: 'hear',
  types: ['integration.line_paused', 'integration.line_resumed'],
  async handle(page, facts) {
    for (const fact of facts) {
      const { subject, values } = fact;
      if (subject === null) continue;
      const caused = page.causedBy(fact);
      if (fact.type === 'integration.line_resumed') await noteRecovery(caused, subject);
      else
        await noteTrouble(caused, subject, {
          ...{ problem: problemIn(values['problem']), detail: textIn(values['detail']) },
          // It has failed for days by now, even if the connection counted less.
          isOver: true,
        });
    }
  },
};

const problemIn = (problem: unknown): ConnectorProblem =>
  connectorProblems.find((known) => known === problem) ?? 'service_away';
const textIn = (detail: unknown): string | null =>
  typeof detail === 'string' && detail !== '' ? detail : null;
