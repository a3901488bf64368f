import { oc, type OpenAPI } from '@orpc/contract';
import type { Permission } from '@app/domain/auth/permissions';
import { z } from 'zod';
import { findUnstorableText } from '@app/domain/text/storable-text';
import { errorTable, type ErrorCode } from './errors.ts';

/** Who may call an endpoint: anybody, anybody who is signed in, or holders of every named permission. */
export type Access = 'public' | 'signed-in' | Permission | readonly Permission[];

/**
 * What a second request of the same act does. `keyed`: what creates, sends or deletes takes an idempotency key, kept in the
 * transaction of the act. `keyed-outside`: the same for an act that reaches beyond the database; its key is committed
 * before the effect. Harmless acts say why they are; a key that is given is honoured where they say so.
 */
export type Repeat = 'keyed' | 'keyed-outside' | { harmless: string; honoursKey?: true };

/**
 * What the transaction of an act may take from the database: `long` changes or reads as many rows as a whole audience has,
 * `starting` does so to make or start a campaign.
 * An act that holds its key begins on a connection of this kind, because it stays there.
 */
export type RequestWork = 'interactive' | 'long' | 'starting';

export type EndpointMeta = {
  access: Access;
  /** Null for what only reads. */
  repeat: Repeat | null;
  work: RequestWork;
  /** Bytes that a request of somebody signed in may have. */
  largestBody: number;
  /** Dangerous: asks for the password again unless it, or another proof, was given a short while ago. */
  needsReauthentication: boolean;
  /** Open to people who must set up a second factor before they may do anything else. */
  isForSetUp: boolean;
  /** About the person alone: answered whichever workspace the request names, also one that is not theirs. */
  inAnyWorkspace: boolean;
  /** Null for what only people do in a browser; else it may be called with an API key, and stands in its description. */
  forKeys: ForKeys | null;
};

/** What a program is promised: `example` is an input that it can be tried with. */
export type ForKeys = { example: Record<string, unknown> | null };

const ORDINARY_BODY = 1024 * 1024;
/** For what names up to a hundred thousand contacts, and as many that are left out. */
export const CONTACT_LIST_BODY = 8 * 1024 * 1024;

/** For endpoints that read, and are no GET because their input is long. */
export const readsOnly = { harmless: 'It reads and changes nothing.' } as const satisfies Repeat;
/** For changes of a whole value that name the version they saw. */
export const versioned = {
  harmless: 'It names the version that it changes: a second one finds another version and is refused.',
  honoursKey: true,
} as const satisfies Repeat;

const KEY_REFUSALS = [
  'idempotency_key_required',
  'idempotency_key_reused',
  'idempotency_answer_gone',
] as const;

/** Where a refusal belongs: the form field (dotted path), figures for its sentence, and each wrong field of an input. */
export const errorDetails = z
  .object({
    field: z.string().optional(),
    values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    issues: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  })
  .optional();

type ErrorEntry = { status: number; message: string; data: typeof errorDetails };

/**
 * One promise between web and server: method and path below `/api`, who may call it, what goes in and comes
 * out, and each refusal a caller may meet. `path` parameters are written `{contactId}` and stand in `input`.
 */
export function endpoint<Input extends z.ZodType, Output extends z.ZodType, Code extends ErrorCode = never>(
  promise: {
    path: `/${string}`;
    access: Access;
    summary: string;
    input: Input;
    output: Output;
    largestBody?: number;
    needsReauthentication?: true;
    isForSetUp?: true;
    inAnyWorkspace?: true;
    /** Without it no API key opens the endpoint. */
    forKeys?: true | { example: NoInfer<z.input<Input>> };
    errors?: readonly Code[];
  } & (
    | { method: 'GET'; repeat?: never; work?: never }
    | { method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'; repeat: Repeat; work?: RequestWork }
  ),
) {
  const repeat = promise.repeat ?? null;
  const codes: ErrorCode[] = [
    ...(promise.errors ?? []),
    ...errorsOf(repeat),
    ...errorsOfAccess(promise.access),
    ...(promise.needsReauthentication ? (['password_needed'] as const) : []),
    'invalid_input',
  ];
  // The keys are the codes listed, and those of the HTTP edge that handlers do not throw; Object.fromEntries cannot say so.
  const declared = Object.fromEntries(
    codes.map((code) => [code, { ...errorTable[code], data: errorDetails }]),
  ) as unknown as Record<Code, ErrorEntry>;
  return oc
    .$meta<EndpointMeta>({
      access: promise.access,
      repeat,
      work: promise.work ?? 'interactive',
      largestBody: promise.largestBody ?? ORDINARY_BODY,
      needsReauthentication: promise.needsReauthentication ?? false,
      isForSetUp: promise.isForSetUp ?? false,
      inAnyWorkspace: promise.inAnyWorkspace ?? false,
      forKeys: describeKeys(promise.forKeys),
    })
    .route({
      method: promise.method,
      path: promise.path,
      summary: promise.summary,
      inputStructure: 'compact',
      ...(takesKey(repeat) && { spec: (spec) => describeKey(spec, typeof repeat === 'string') }),
    })
    .input(guardInput(promise.method, promise.input))
    .output(promise.output)
    .errors(declared);
}

function describeKeys(forKeys: true | { example: unknown } | undefined): ForKeys | null {
  if (forKeys === undefined) return null;
  // What goes in is an object everywhere.
  return { example: forKeys === true ? null : (forKeys.example as Record<string, unknown>) };
}

export function takesKey(repeat: Repeat | null): boolean {
  return typeof repeat === 'string' || repeat?.honoursKey === true;
}

function errorsOf(repeat: Repeat | null): readonly ErrorCode[] {
  if (!takesKey(repeat)) return [];
  return repeat === 'keyed-outside' ? [...KEY_REFUSALS, 'outcome_unknown'] : KEY_REFUSALS;
}

function errorsOfAccess(access: Access): readonly ErrorCode[] {
  if (access === 'public') return [];
  return access === 'signed-in' ? ['signed_out'] : ['signed_out', 'FORBIDDEN'];
}

function describeKey(spec: OpenAPI.OperationObject, required: boolean): OpenAPI.OperationObject {
  const header: OpenAPI.ParameterObject = {
    name: 'Idempotency-Key',
    in: 'header',
    required,
    description:
      'A text of your own for this act. The same key with the same request is done once and answered the same for at least 24 hours.',
    schema: { type: 'string', minLength: 8, maxLength: 200 },
  };
  return { ...spec, parameters: [...(spec.parameters ?? []), header] };
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

/** Written as the database writes it, so that what is compared here is the same one. */
export const id = z.uuid().toLowerCase();
/** Stands in examples for an id of the path, which the reference shows as a variable. */
export const EXAMPLE_ID = '0193a6f0-0000-7000-8000-000000000001';
/** Times travel as ISO 8601 in UTC. */
export const instant = z.iso.datetime({ offset: true }).refine((text) => {
  const year = new Date(text).getUTCFullYear();
  return year >= 1 && year <= 9999;
}, 'This time is out of range.');
