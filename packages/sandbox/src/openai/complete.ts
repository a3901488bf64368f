import { listOf, objectOf, objectsOf, textOf, type JsonObject } from '../core/json.ts';
import type { OpenAiService } from './openai-service.ts';

export interface Completion {
  content: string;
  finishReason: 'stop' | 'length';
}

const LARGE = 1024 * 1024;

/** What the stand-in says: a scripted answer, else what it finds in the sources of the prompt, else that it does not know. */
export function complete(service: OpenAiService, body: JsonObject): Completion {
  const messages = objectsOf(body['messages']);
  const asked = contentOf(messages.findLast(({ role }) => role === 'user'));
  const { answers, fault } = service.behaviour;
  const scripted = answers.find(({ contains }) => asked.toLowerCase().includes(contains.toLowerCase()));
  const source = findSource(messages);
  const said = scripted ?? {
    text: source?.text ?? 'I am a stand-in for a model. I do not know the answer to that.',
    confidence: source ? 0.9 : 0.2,
  };
  const schema = schemaOf(body);
  const content = schema
    ? JSON.stringify(fill(schema, { ...said, sourceId: source?.id ?? null }))
    : said.text;
  switch (fault) {
    case 'garbage':
      return { content: `Sure! Here you are: {"answer": ${content.slice(0, 10)}`, finishReason: 'stop' };
    case 'empty':
      return { content: '', finishReason: 'stop' };
    case 'large':
      return { content: 'a'.repeat(LARGE), finishReason: 'stop' };
    case 'cut':
      return {
        content: content.slice(0, Math.max(1, Math.floor(content.length / 2))),
        finishReason: 'length',
      };
    default:
      return { content, finishReason: 'stop' };
  }
}

/** About four letters are a token. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

export function tokensOfMessages(body: JsonObject): number {
  return objectsOf(body['messages']).reduce((sum, message) => sum + countTokens(contentOf(message)) + 4, 0);
}

function contentOf(message: JsonObject | undefined): string {
  const content = message?.['content'];
  if (typeof content === 'string') return content;
  return objectsOf(content)
    .map(({ text }) => textOf(text) ?? '')
    .join('\n');
}

/** The first line `<source id="…">text</source>` of the instructions. */
function findSource(messages: readonly JsonObject[]): { id: string; text: string } | null {
  for (const message of messages) {
    const found = /<source id="([^"]+)"[^>]*>([\s\S]*?)<\/source>/.exec(contentOf(message));
    if (found) return { id: found[1]!, text: found[2]!.trim() }; // both groups always match
  }
  return null;
}

/** The JSON schema of a structured answer, from `response_format`; without one the stand-in answers in plain text. */
function schemaOf(body: JsonObject): JsonObject | null {
  const format = objectOf(body['response_format']);
  if (format['type'] === 'json_object') return { type: 'object', properties: PLAIN };
  return format['type'] === 'json_schema' ? objectOf(objectOf(format['json_schema'])['schema']) : null;
}
const PLAIN = {
  answer: { type: 'string' },
  confidence: { type: 'number' },
  intent: { type: 'string' },
  sources: { type: 'array' },
  entities: { type: 'array' },
};

type Said = { text: string; confidence: number; sourceId: string | null };

/** A value of the schema: its field for text gets the text, `confidence` the confidence, `sources` the source, the rest what is shortest. */
function fill(schema: JsonObject, said: Said): JsonObject {
  const properties = Object.entries(objectOf(schema['properties']));
  return Object.fromEntries(properties.map(([name, value]) => [name, valueOf(name, objectOf(value), said)]));
}

function valueOf(name: string, schema: JsonObject, said: Said): unknown {
  if (['answer', 'text'].includes(name)) return said.text;
  if (name === 'confidence') return said.confidence;
  if (name === 'sources') return said.sourceId === null ? [] : [said.sourceId];
  if (name === 'intent') return 'question';
  const [first] = listOf(schema['enum']);
  if (first !== undefined) return first;
  switch (schema['type']) {
    case 'array':
      return [];
    case 'object':
      return fill(schema, said);
    case 'number':
    case 'integer':
      return 0;
    case 'boolean':
      return false;
    default:
      return '';
  }
}
