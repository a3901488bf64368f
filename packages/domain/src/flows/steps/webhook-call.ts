import type { FlowConfig } from '../flow-file.ts';
import { DONE_OR_FAILED, textOf, type StepType } from '../step-type.ts';

export type NamedValue = { name: string; value: string };

export const webhookCallLimits = {
  /** Seconds of one attempt. */
  timeout: { least: 1, most: 60, initial: 10 },
  /** Attempts after the first. */
  retries: { least: 0, most: 5, initial: 2 },
  /** Bytes of a response; a longer one is an error, and nothing of it is read. */
  response: 1024 * 1024,
  /** Characters of one value that is taken out of a response, as JSON. */
  value: 2_000,
} as const;

/** Attempts, and pauses of up to ten seconds between them, on a machine that is busy. */
const CALL_WAIT_MS = 15 * 60_000;
const WITH_BODY = ['POST', 'PUT', 'PATCH'];
const hasBody = { field: 'method', is: WITH_BODY };

/** Calls an address of another service. What came of it stands among the values: `status`, and one for each line of `mapping`. */
export const webhookCall: StepType = {
  ...{ type: 'webhook_call', kinds: ['workflow', 'bot'], group: 'other', needsContact: false },
  fields: [
    {
      ...{ name: 'method', kind: 'choice', isRequired: true, initial: 'POST' },
      options: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    },
    { name: 'url', kind: 'url', isRequired: true, takesValues: true, escape: 'url' },
    { name: 'headers', kind: 'headers', takesValues: true, escape: 'line' },
    {
      ...{ name: 'content', kind: 'choice', initial: 'json', options: ['json', 'text', 'none'] },
      when: hasBody,
    },
    {
      ...{ name: 'json', kind: 'long_text', takesValues: true, escape: 'json' },
      initial: '{ "name": "{{contact.name}}", "phone": "{{contact.phone}}" }',
      // As `bodyOf` reads a configuration that does not say.
      when: [hasBody, { field: 'content', is: ['json', null] }],
    },
    {
      name: 'text',
      kind: 'long_text',
      takesValues: true,
      when: [hasBody, { field: 'content', is: ['text'] }],
    },
    { name: 'mapping', kind: 'mapping' },
    { name: 'timeout', kind: 'number', ...webhookCallLimits.timeout },
    { name: 'retries', kind: 'number', ...webhookCallLimits.retries },
    /** Whether the service bears to get the same call twice. */
    { name: 'mayRepeat', kind: 'flag', initial: false },
  ],
  exits: () => DONE_OR_FAILED,
  values: (config) => ['status', ...mappingOf(config).map(({ name }) => name)],
  enter({ config }) {
    const { timeout, retries } = webhookCallLimits;
    const method = textOf(config, 'method');
    const body = bodyOf(config, method);
    if (body === undefined) return { fail: 'body_invalid' };
    const numberOf = (name: string, otherwise: number) =>
      typeof config[name] === 'number' ? Math.round(config[name]) : otherwise;
    return {
      ask: 'webhook_call',
      request: {
        ...{ method, url: textOf(config, 'url'), body },
        headers: Object.fromEntries(
          namedValuesOf(config, 'headers').map(({ name, value }) => [name.toLowerCase(), value]),
        ),
        isJson: body !== null && config['content'] !== 'text',
        mapping: mappingOf(config),
        timeoutMs: numberOf('timeout', timeout.initial) * 1000,
        attempts: numberOf('retries', retries.initial) + 1,
        mayRepeat: config['mayRepeat'] === true,
      },
      waitMs: CALL_WAIT_MS,
    };
  },
};

/** Null for none; undefined for what is no JSON once the values stand in it. */
function bodyOf(config: FlowConfig, method: string): string | null | undefined {
  if (!WITH_BODY.includes(method) || config['content'] === 'none') return null;
  if (config['content'] === 'text') return textOf(config, 'text');
  const json = textOf(config, 'json').trim();
  if (json === '') return null;
  try {
    JSON.parse(json);
    return json;
  } catch {
    return undefined;
  }
}

function mappingOf(config: FlowConfig): NamedValue[] {
  return namedValuesOf(config, 'mapping');
}

function namedValuesOf(config: FlowConfig, name: string): NamedValue[] {
  const value = config[name];
  return Array.isArray(value) ? (value as unknown as NamedValue[]) : []; // publishing looked at each
}
