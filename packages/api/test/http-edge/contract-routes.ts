import { contract } from '@app/contracts/contract';
import type { Access, EndpointMeta } from '@app/contracts/endpoint';
import { keyScopes } from '@app/domain/api-keys/api-key-rules';
import type { Permission } from '@app/domain/auth/permissions';
import { z } from 'zod';
import type { ApiCaller, ApiResponse } from '../api-fixture.ts';

/** The parts of JSON Schema that inputs of the contract use. */
export type InputSchema = {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  minItems?: number;
  anyOf?: InputSchema[];
  oneOf?: InputSchema[];
  items?: InputSchema;
  properties?: Record<string, InputSchema>;
  required?: string[];
  additionalProperties?: InputSchema | boolean;
};

export type ContractRoute = {
  /** Feature and endpoint, for instance `contacts.update`. */
  name: string;
  method: string;
  /** Below `/api`, for instance `/contacts/{contactId}`. */
  path: string;
  access: Access;
  input: z.ZodType;
  schema: InputSchema;
};

export type Input = Record<string, unknown>;

/** Decides what the contract leaves open when an input is made up. */
export type InputChoices = {
  /** Which of `count` alternatives. */
  variant(count: number, field: string, variants: readonly InputSchema[]): number;
  hasOptional(): boolean;
  text(field: string): string;
  instant(): string;
  id(field: string): string;
};

/** What a schema cannot tell: texts that must be right for a request to get past its checks. */
const sampleTexts: Record<string, string> = {
  // The services of the tests, and a trigger of a flow.
  kind: 'quiet',
  triggerId: 'called',
  eventType: 'contact.created',
  pin: '123456',
  phone: '+14155552671',
  email: 'ann@example.com',
  websites: 'https://shop.example',
  currency: 'EUR',
  waitingMessage: 'About {{time}}',
  language: 'de',
  timeZone: 'UTC',
  zone: 'UTC',
  endpoint: 'https://push.example/an-address',
  p256dh: 'B'.repeat(87),
  auth: 'A'.repeat(22),
  // A list of them in an address.
  ids: '0193a6f0-0000-7000-8000-000000000001',
  // Ids of steps and triggers.
  id: 'step',
  start: 'step',
  from: '09:00',
  to: '21:00',
};

/** The same of lists: rules have a condition, there or in a group. */
const filledLists = new Set(['conditions']);

/** The least that a route takes, about rows that do not exist. */
export const leastInput: InputChoices = {
  // A message of one's own needs no row, unlike the template that stands first.
  variant: (count, field, variants) => {
    if (field === 'message') {
      const own = variants.findIndex(({ properties }) => properties && 'customMessage' in properties);
      return own === -1 ? count - 1 : own;
    }
    // Nobody makes a key for more than they may do; reading contacts is what everybody may.
    return field === 'scopes' ? keyScopes.indexOf('contacts:read') : 0;
  },
  hasOptional: () => false,
  text: (field) => sampleTexts[field] ?? 'sample text',
  instant: () => '2030-01-01T09:00:00.000Z',
  id: () => crypto.randomUUID(),
};

export const everyField: InputChoices = { ...leastInput, hasOptional: () => true };

/** Every endpoint of the contract, found by walking it. */
export const contractRoutes: readonly ContractRoute[] = Object.entries(contract).flatMap(
  ([feature, endpoints]) =>
    Object.entries(endpoints).map(([name, endpoint]): ContractRoute => {
      const { route, meta, inputSchema } = endpoint['~orpc'];
      if (!route.method || !route.path || !inputSchema)
        throw new Error(`${feature}.${name} is no endpoint()`);
      return {
        name: `${feature}.${name}`,
        method: route.method,
        path: route.path,
        access: (meta as EndpointMeta).access, // set by endpoint() for every contract
        input: inputSchema,
        schema: z.toJSONSchema(inputSchema, { io: 'input', unrepresentable: 'any' }) as InputSchema,
      };
    }),
);

export function isChanging({ method }: ContractRoute): boolean {
  return method !== 'GET';
}

export function permissionsOf(access: Access): readonly Permission[] {
  if (access === 'public' || access === 'signed-in') return [];
  return typeof access === 'string' ? [access] : access;
}

/** Names of the `{parameters}` of a path. */
export function pathParameters({ path }: ContractRoute): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter!);
}

type AbTest = { share: number; windowHours: number; variants: { share: number }[] };
const halves = ({ abTest, ...input }: Input): Input => {
  if (!abTest) return input;
  const test = abTest as AbTest; // as the schema has it
  const variants = test.variants.map((variant) => ({ ...variant, share: 50 }));
  return { ...input, abTest: { ...test, share: 50, variants, windowHours: 24 } };
};

/** Parts that must fit together, which no schema says. */
const fitting: Record<string, (input: Input) => Input> = {
  'campaigns.create': halves,
  'campaigns.update': halves,
  'campaigns.planTest': (input) => ({ ...input, shares: [50, 50] }),
  // One way to name the contact.
  'conversions.record': ({ phone: _phone, serviceId: _serviceId, ...input }) => ({
    ...input,
    contactId: input['contactId'] ?? crypto.randomUUID(),
  }),
};

export function makeInput(route: ContractRoute, choices: InputChoices = leastInput): Input {
  const input = makeValue(route.schema, '', choices) as Input; // every input of the contract is an object
  return fitting[route.name]?.(input) ?? input;
}

/** A value that this schema takes, with the choices for what it leaves open. */
export function makeValue(schema: InputSchema, field: string, choices: InputChoices): unknown {
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[choices.variant(schema.enum.length, field, [])];
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants)
    return makeValue(variants[choices.variant(variants.length, field, variants)]!, field, choices);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => schema.required?.includes(name) || choices.hasOptional())
          .map(([name, property]) => [name, makeValue(property, name, choices)]),
      );
    case 'array':
      return schema.items && (schema.minItems || filledLists.has(field) || choices.hasOptional())
        ? Array.from({ length: schema.minItems ?? 1 }, () => makeValue(schema.items!, field, choices))
        : [];
    case 'string':
      if (schema.format === 'uuid') return choices.id(field);
      if (schema.format === 'date-time') return choices.instant();
      if (schema.format === 'date') return '2026-12-25';
      if (schema.format === 'ipv4') return '203.0.113.7';
      // Nothing listens there.
      if (schema.format === 'uri') return 'https://127.0.0.1:9/a-page';
      return choices
        .text(field)
        .padEnd(schema.minLength ?? 0, '0')
        .slice(0, schema.maxLength);
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, (schema.exclusiveMinimum ?? 0) + 1);
    case 'boolean':
      return true;
    default:
      return null;
  }
}

/** As a REST client calls it: ids in the path, then query or JSON body. */
export function callRest(
  caller: ApiCaller,
  route: ContractRoute,
  input: Input,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  const inPath = pathParameters(route);
  const path = inPath.reduce(
    (filled, name) => filled.replace(`{${name}}`, encodeURIComponent(wellFormed(input[name]))),
    `/api${route.path}`,
  );
  const rest = Object.entries(input).filter(([name]) => !inPath.includes(name));
  if (isChanging(route))
    return caller.request(path, {
      method: route.method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(Object.fromEntries(rest)),
    });
  const query = new URLSearchParams(rest.map(([name, value]) => [name, wellFormed(value)]));
  return caller.request(`${path}?${query}`, { headers });
}

/** As the web calls it: the typed input in one JSON body. */
export function callRpc(
  caller: ApiCaller,
  route: ContractRoute,
  input: Input,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  return caller.request(rpcPath(route), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ json: input, meta: [] }),
  });
}

export function rpcPath({ name }: ContractRoute): string {
  return `/api/rpc/${name.replace('.', '/')}`;
}

export type Refusal = {
  code?: string;
  message?: string;
  details?: { issues?: { field: string; message: string }[]; values?: Record<string, unknown> };
};

/** What an answer refuses with; without a code when it is no refusal. */
export async function readAnswer(response: ApiResponse): Promise<Refusal> {
  const body = JSON.parse((await response.text()) || '{}');
  return body?.error ?? {};
}

function wellFormed(value: unknown): string {
  return String(value).toWellFormed();
}
