import { oc } from '@orpc/contract';
import type { Permission } from '@app/domain/auth/permissions';
import { z } from 'zod';
import { findUnstorableText } from '@app/domain/text/storable-text';
import { errorTable, type ErrorCode } from './errors.ts';

/** Who may call an endpoint: anybody, anybody who is signed in, or holders of every named permission. */
export type Access = 'public' | 'signed-in' | Permission | readonly Permission[];

export type EndpointMeta = {
  access: Access;
  /** Bytes that a request of somebody signed in may have. */
  largestBody: number;
};

const ORDINARY_BODY = 1024 * 1024;
/** For what names up to a hundred thousand contacts, and as many that are left out. */
export const CONTACT_LIST_BODY = 8 * 1024 * 1024;

/** Where a refusal belongs: the form field (dotted path) and figures for its sentence. */
export const errorDetails = z
  .object({
    field: z.string().optional(),
    values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  })
  .optional();

type ErrorEntry = { status: number; message: string; data: typeof errorDetails };

/**
 * One promise between web and server: method and path below `/api`, who may call it, what goes in and comes
 * out, and each refusal a caller may meet. `path` parameters are written `{contactId}` and stand in `input`.
 */
export function endpoint<
  Input extends z.ZodType,
  Output extends z.ZodType,
  Code extends ErrorCode = never,
>(promise: {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: `/${string}`;
  access: Access;
  summary: string;
  input: Input;
  output: Output;
  largestBody?: number;
  errors?: readonly Code[];
}) {
  // The keys are exactly the codes listed; Object.fromEntries cannot say so.
  const declared = Object.fromEntries(
    (promise.errors ?? []).map((code) => [code, { ...errorTable[code], data: errorDetails }]),
  ) as unknown as Record<Code, ErrorEntry>;
  return oc
    .$meta<EndpointMeta>({ access: promise.access, largestBody: promise.largestBody ?? ORDINARY_BODY })
    .route({
      method: promise.method,
      path: promise.path,
      summary: promise.summary,
      inputStructure: 'compact',
    })
    .input(guardInput(promise.method, promise.input))
    .output(promise.output)
    .errors(declared);
}

/** What changes something refuses fields that it does not know, and everything refuses text that no row can hold. */
export function guardInput<Input extends z.ZodType>(method: string, input: Input): Input {
  const isStrict = method !== 'GET' && input instanceof z.ZodObject;
  // Strictness changes which inputs are refused, not their type.
  const guarded = isStrict ? (input.strict() as unknown as Input) : input;
  return guarded.superRefine((value, check) => {
    for (const path of findUnstorableText(value))
      check.addIssue({ code: 'custom', path, message: 'This text holds a character that cannot be stored.' });
  });
}

/** A keyset page: `nextCursor` is null on the last one. */
export function page<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() });
}

/** Query parameters that every list takes. */
export const pageInput = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(1000).optional(),
});

export const id = z.uuid();
/** Times travel as ISO 8601 in UTC. */
export const instant = z.iso.datetime({ offset: true }).refine((text) => {
  const year = new Date(text).getUTCFullYear();
  return year >= 1 && year <= 9999;
}, 'This time is out of range.');
