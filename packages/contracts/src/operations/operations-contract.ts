import { operationKindNames } from '@app/domain/operations/operation-kinds';
import { operationStates } from '@app/domain/operations/operation-state';
import { z } from 'zod';
import { endpoint, id, instant, page } from '../endpoint.ts';

/** Something that a person began and that takes long: how far it is, and what came of it. */
export const operation = z.object({
  /** That of the import, the deletion or the export. */
  id,
  kind: z.enum(operationKindNames),
  /** Of an act that turns another one round: which. */
  subject: id.nullable(),
  /** What it was called, such as the name of the file. */
  name: z.string(),
  state: z.enum(operationStates),
  /** For kinds that have several; each counts from the beginning. */
  phase: z.string().nullable(),
  done: z.number(),
  /** Null while nobody knows. */
  total: z.number().nullable(),
  secondsLeft: z.number().nullable(),
  /** A process died over it, and another one went on. */
  wasInterrupted: z.boolean(),
  /** How many of what came of it. */
  result: z.record(z.string(), z.number()),
  /** Why it failed. */
  error: z
    .object({ code: z.string(), values: z.record(z.string(), z.union([z.string(), z.number()])) })
    .nullable(),
  /** To be had at `GET /long-acts/{operationId}/file`. */
  file: z.object({ name: z.string() }).nullable(),
  /** Why its file is not there any more. */
  fileGone: z.enum(['expired', 'erased']).nullable(),
  isOwn: z.boolean(),
  /** The name of whoever began it. */
  by: z.string(),
  mayCancel: z.boolean(),
  createdAt: instant,
  endedAt: instant.nullable(),
});

const one = z.object({ operationId: id });

export const operationsContract = {
  list: endpoint({
    method: 'GET',
    path: '/operations',
    access: 'signed-in',
    summary:
      'What goes on and takes long, of the kinds that the caller may do, and what of theirs ended a short while ago',
    input: z.object({}),
    output: page(operation),
  }),
  get: endpoint({
    method: 'GET',
    path: '/operations/{operationId}',
    access: 'signed-in',
    summary: 'How far an operation is, or what came of it',
    input: one,
    output: operation,
    errors: ['operation_not_found'],
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/operations/{operationId}/cancel',
    access: 'signed-in',
    repeat: { harmless: 'What is being cancelled, or is over, stays so.' },
    summary:
      'Stops an operation. An import leaves nothing; a deletion keeps what it deleted, which can be undone',
    input: one,
    output: operation,
    errors: ['operation_not_found', 'operation_not_cancellable'],
  }),
  dismiss: endpoint({
    method: 'POST',
    path: '/operations/{operationId}/dismiss',
    access: 'signed-in',
    repeat: { harmless: 'What was put away stays away.' },
    summary: 'Shows what came of an act no longer in the list',
    input: one,
    output: operation,
    errors: ['operation_not_found'],
  }),
  dismissAll: endpoint({
    method: 'POST',
    path: '/operations/dismiss',
    access: 'signed-in',
    repeat: { harmless: 'What was put away stays away.' },
    summary: 'Shows what came of the caller’s own acts no longer in the list; what goes on stays',
    input: z.object({}),
    output: z.object({}),
  }),
};
