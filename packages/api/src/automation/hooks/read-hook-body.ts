import type { Json } from '@app/domain/flows/flow-file';
import { readJson } from '@app/domain/text/read-json';
import { findUnstorableText } from '@app/domain/text/storable-text';

const DEEPEST = 50;

/** The body of a call as JSON; undefined for what is neither JSON nor a form of either kind, or what the database cannot store. */
export async function readHookBody(bytes: Uint8Array, type: string): Promise<Json | undefined> {
  const decode = decoderOf(type);
  const [format = ''] = type.toLowerCase().split(';');
  if (format.includes('application/x-www-form-urlencoded')) return storable(readFields(bytes, decode));
  if (format.includes('multipart/form-data')) return readParts(bytes, type);
  const text = decode(bytes);
  if (text.trim() === '') return {};
  try {
    return storable(readJson(text) as Json);
  } catch {
    return undefined;
  }
}

type Decode = (bytes: Uint8Array) => string;

/** By the character set that the caller names, such as ISO-8859-1 of older services. */
function decoderOf(type: string): Decode {
  const charset = /;\s*charset="?([\w.:-]{1,40})/i.exec(type)?.[1] ?? 'utf-8';
  try {
    const decoder = new TextDecoder(charset);
    return (bytes) => decoder.decode(bytes);
  } catch {
    return (bytes) => new TextDecoder().decode(bytes); // a character set that nobody knows
  }
}

function readFields(bytes: Uint8Array, decode: Decode): Json {
  const read = (part: string) => decode(Buffer.from(unescapeBytes(part), 'latin1'));
  const pairs = Buffer.from(bytes).toString('latin1').split('&');
  return gather(
    pairs
      .filter((pair) => pair !== '')
      .map((pair): [string, string] => {
        const end = pair.includes('=') ? pair.indexOf('=') : pair.length;
        return [read(pair.slice(0, end)), read(pair.slice(end + 1))];
      }),
  );
}

/** Of a file only its name, type and size are told. */
async function readParts(bytes: Uint8Array, type: string): Promise<Json | undefined> {
  try {
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
    const told = (part: File | string): Json =>
      typeof part === 'string' ? part : { name: part.name, type: part.type, size: part.size };
    return storable(gather([...form].map(([name, part]) => [name, told(part)])));
  } catch {
    return undefined;
  }
}

/** A field that is there several times is a list, as in `tags=a&tags=b`. */
function gather(parts: readonly (readonly [string, Json])[]): Json {
  const fields = new Map<string, Json[]>();
  for (const [name, value] of parts) fields.set(name, [...(fields.get(name) ?? []), value]);
  const written = [...fields].map(
    ([name, values]) => [name, values.length === 1 ? values[0]! : values] as const,
  ); // each has one
  return Object.fromEntries(written);
}

/** One character for each byte. */
function unescapeBytes(part: string): string {
  return part
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function storable(value: Json): Json | undefined {
  return findUnstorableText(value).length === 0 && isShallow(value) ? value : undefined;
}

/** The database and what reads values call themselves for each level. */
function isShallow(value: Json): boolean {
  let level: Json[] = [value];
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth += 1)
    level = level.flatMap((part) => (typeof part === 'object' && part !== null ? Object.values(part) : []));
  return level.length === 0;
}
