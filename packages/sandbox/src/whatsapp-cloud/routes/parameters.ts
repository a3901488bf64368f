import type { Context } from 'hono';
import { isObject, parseJson, textOf, type JsonObject } from '../../core/json.ts';
import { GraphError } from '../errors.ts';
import type { GraphEnv } from './graph-env.ts';

/** Parameters that hold objects or lists: in a query or form they arrive as JSON text. */
const structured = new Set(
  (
    'components block_users websites hsm_ids prompts commands webhook_configuration calling user_identity_change ' +
    'payload_encryption storage_configuration library_template_button_inputs library_template_body_inputs ' +
    'grievance_officer_details customer_care_details template_ids metric_types phone_numbers ' +
    'text image audio video document sticker location contacts reaction interactive template context typing_indicator'
  ).split(' '),
);

/** The parameters of a call, from query, form and JSON alike; what the body says goes before the query. */
export async function readParameters(c: Context<GraphEnv>): Promise<JsonObject> {
  const parameters: JsonObject = {};
  for (const [name, value] of new URL(c.req.url).searchParams) setParameter(parameters, name, value);
  const type = c.req.header('content-type')?.toLowerCase() ?? '';
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return decode(parameters);
  if (type.includes('multipart/form-data')) {
    for (const [name, value] of await readForm(c)) setParameter(parameters, name, value);
  } else {
    const text = (await c.req.text()).trim();
    const isForm = type.includes('x-www-form-urlencoded') && !text.startsWith('{');
    if (isForm) for (const [name, value] of new URLSearchParams(text)) setParameter(parameters, name, value);
    else if (text !== '') Object.assign(parameters, readJson(text, type));
  }
  return decode(parameters);
}

async function readForm(c: Context<GraphEnv>): Promise<FormData> {
  try {
    return await c.req.formData();
  } catch {
    throw new GraphError(100, { message: '(#100) The request body is not a form' });
  }
}

function readJson(text: string, type: string): JsonObject {
  const value = parseJson(text);
  if (isObject(value)) return value;
  if (type !== '' && !type.includes('json') && !type.includes('text')) return {};
  throw new GraphError(100, { message: '(#100) The request body is not a JSON object' });
}

/** `name`, `name[]`, `name[0][key]`. */
function setParameter(parameters: JsonObject, name: string, value: unknown): void {
  const [first = '', ...rest] = name.split('[').map((part) => part.replace(/\]$/, ''));
  if (rest.length === 0 || rest.length > 5) {
    define(parameters, name, value);
    return;
  }
  let holder: JsonObject | unknown[] = parameters;
  let key = first;
  for (const next of rest) {
    const existing = valueAt(holder, key);
    const inner: JsonObject | unknown[] =
      Array.isArray(existing) || isObject(existing) ? existing : /^\d*$/.test(next) ? [] : {};
    put(holder, key, inner);
    holder = inner;
    key = next;
  }
  put(holder, key, value);
}

function valueAt(holder: JsonObject | unknown[], key: string): unknown {
  if (Array.isArray(holder)) return holder[indexIn(holder, key)];
  return Object.hasOwn(holder, key) ? holder[key] : undefined;
}

function put(holder: JsonObject | unknown[], key: string, value: unknown): void {
  if (Array.isArray(holder)) holder[indexIn(holder, key)] = value;
  else define(holder, key, value);
}

// Names come from outside: `__proto__` is a name like any other.
function define(holder: JsonObject, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

const MOST_ITEMS = 1000;

function indexIn(list: unknown[], key: string): number {
  const index = key === '' || !/^\d+$/.test(key) ? list.length : Number(key);
  if (index > MOST_ITEMS) throw new GraphError(100, { message: '(#100) A list has too many items' });
  return index;
}

function decode(parameters: JsonObject): JsonObject {
  for (const [name, value] of Object.entries(parameters)) {
    if (typeof value !== 'string' || !structured.has(name) || !/^\s*[[{]/.test(value)) continue;
    const inner = parseJson(value);
    if (inner === undefined)
      throw new GraphError(100, { message: `(#100) Param ${name} must be valid JSON` });
    parameters[name] = inner;
  }
  return parameters;
}

/** A list given as a list, as JSON text or separated by commas. */
export function namesOf(value: unknown): string[] | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const list = typeof value === 'string' && value.startsWith('[') ? parseJson(value) : value;
  if (Array.isArray(list)) return list.map(String);
  return (textOf(value) ?? '')
    .replace(/^\[|\]$/g, '')
    .split(',')
    .map((name) => name.trim());
}

/** true, 'true', 1 and '1'. */
export function flagOf(value: unknown): boolean {
  return value === true || value === 'true' || value === 1 || value === '1';
}

export function required(parameters: JsonObject, ...names: string[]): void {
  for (const name of names) {
    const value = parameters[name];
    if (value === undefined || value === null || value === '')
      throw new GraphError(100, { message: `(#100) The parameter ${name} is required.` });
  }
}

export function requireProduct(parameters: JsonObject): void {
  if (parameters['messaging_product'] !== 'whatsapp')
    throw new GraphError(100, { message: '(#100) The parameter messaging_product is required.' });
}
