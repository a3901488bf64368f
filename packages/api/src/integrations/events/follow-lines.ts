import { connectorProblems, type ConnectorProblem } from '@app/domain/integrations/connector-problems';
import { integrationLimits } from '@app/domain/integrations/integration-rules';
import type { FactConsumer } from '../../platform/facts/fact-consumer.ts';
import { findIntegrationById } from '../integration-rows.ts';
import { noteTrouble } from '../sync/sync-runs.ts';

/** A line that was paused, because it failed for days or because only a person can mend it, is an error of its connection. */
export const followLines: FactConsumer = {
  name: 'connector-lines',
  order: 'none',
  atDepthLimit: 'hear',
  types: ['integration.line_paused'],
  async handle(page, facts) {
    for (const fact of facts) {
      const { subject, values } = fact;
      const row = subject === null ? null : await findIntegrationById(page, subject, 'FOR UPDATE');
      if (row?.status !== 'connected') continue;
      // It has failed for days by now, whatever the connection counted.
      await noteTrouble(
        page.causedBy(fact),
        { ...row, failures: row.failures + integrationLimits.failures },
        { problem: problemIn(values['problem']), detail: textIn(values['detail']) },
      );
    }
  },
};

const problemIn = (problem: unknown): ConnectorProblem =>
  connectorProblems.find((known) => known === problem) ?? 'service_away';
const textIn = (detail: unknown): string | null =>
  typeof detail === 'string' && detail !== '' ? detail : null;
