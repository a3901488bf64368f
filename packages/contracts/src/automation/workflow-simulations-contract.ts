import { differences } from '@app/domain/flows/simulation/compare-simulated';
import { runOutcomes } from '@app/domain/flows/run-state';
import { z } from 'zod';
import { endpoint, id, instant, page, pageInput } from '../endpoint.ts';
import { operation } from '../operations/operations-contract.ts';

/** It tells of contacts: who reads it needs contacts as well. */
const access = ['campaigns:read', 'contacts:read'] as const;

const side = z.object({
  runs: z.number(),
  contacts: z.number(),
  completed: z.number(),
  failed: z.number(),
  /** Runs that wait for something after the last known event. */
  unknown: z.number(),
  messages: z.number(),
  /** Why contacts did not enter, such as `conditions_not_met` or `entered_before`. */
  refused: z.array(z.object({ reason: z.string(), n: z.number() })),
});

/** What the simulation counted over all contacts. */
export const simulationSummary = z.object({
  /** Stored events that were read. */
  events: z.number(),
  /** There were more events, or more starts, than one simulation looks at. */
  isCut: z.boolean(),
  contacts: z.number(),
  /** Contacts of events that are not here any more. */
  missing: z.number(),
  /** Steps that call a service: their results are those of a call that was made, or nothing. */
  calls: z.number(),
  differences: z.record(z.enum(differences), z.number()),
});

export const simulationSides = z.object({ draft: side, published: side });

const simulatedSide = z.object({
  runs: z.array(
    z.object({
      at: instant,
      path: z.array(
        z.object({
          stepId: z.string(),
          type: z.string(),
          exit: z.string().nullable(),
          code: z.string().nullable(),
        }),
      ),
      messages: z.number(),
      /** Null where it goes on. */
      end: z.object({ outcome: z.enum(runOutcomes), code: z.string().nullable() }).nullable(),
      /** Where nobody can know how it goes on. */
      unknown: z
        .object({ stepId: z.string().nullable(), why: z.enum(['reply', 'event', 'too_long']) })
        .nullable(),
    }),
  ),
  /** All runs, of which the first ones are listed. */
  count: z.number(),
  messages: z.number(),
  /** Why the contact did not enter. */
  refused: z.array(z.string()),
});

export const simulatedContact = z.object({
  contact: z.object({ id, name: z.string(), phone: z.string().nullable() }).nullable(),
  difference: z.enum(differences),
  draft: simulatedSide,
  published: simulatedSide,
});

export const simulation = z.object({
  madeAt: instant,
  /** The version of the draft that was tried: `version` of the workflow. */
  draft: z.number(),
  /** The number of the published version; null where there was none, and everything is new. */
  published: z.number().nullable(),
  from: instant,
  to: instant,
  ...simulationSummary.shape,
  sides: simulationSides,
  /** What would be sent, and how often, by the draft and by the published version. */
  messages: z.array(
    z.object({
      templateId: id.nullable(),
      /** Null for a template that is gone. */
      templateName: z.string().nullable(),
      text: z.string().nullable(),
      draft: z.number(),
      published: z.number(),
    }),
  ),
});

export const workflowSimulationsContract = {
  get: endpoint({
    method: 'GET',
    path: '/workflows/{workflowId}/simulation',
    access,
    forKeys: true,
    summary: 'What came of the last simulation of a workflow; null where there was none',
    input: z.object({ workflowId: id }),
    output: z.object({ simulation: simulation.nullable() }),
    errors: ['workflow_not_found'],
  }),
  listContacts: endpoint({
    method: 'GET',
    path: '/workflows/{workflowId}/simulation/contacts',
    access,
    forKeys: true,
    summary: 'The contacts that the draft would have treated in another way than the published version',
    input: pageInput.extend({ workflowId: id, difference: z.enum(differences).optional() }),
    output: page(simulatedContact),
    errors: ['workflow_not_found'],
  }),
  start: endpoint({
    method: 'POST',
    path: '/workflows/{workflowId}/simulation',
    access: ['campaigns:update', 'contacts:read'],
    forKeys: true,
    repeat: 'keyed',
    summary:
      'Tries the draft with the events of the last seven days, as an operation. Nothing is sent and no contact changes. While one is under way for the workflow, that one is answered',
    input: z.strictObject({ workflowId: id }),
    output: operation,
    errors: ['workflow_not_found', 'workflow_invalid'],
  }),
};
