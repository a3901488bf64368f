import type { FlowConfig, FlowFile, Json } from './flow-file.ts';

/** In place of a secret text: `{{secret.<id>}}`. The text itself is sealed, and only the call opens it, to the origin that it was entered for. */
const SECRET_REFERENCE = /\{\{secret\.([0-9a-f-]{36})\}\}/g;
/** Keeps the references when a value is split. */
const REFERENCE = /(\{\{[^{}]+\}\})/;
/** What stands before a value that is the secret: the name of the scheme, and no secret itself. */
const SCHEME = /^\s*(?:bearer|basic|token|digest|apikey|api-key|key)?[\s:="',;]*$/i;

export type SecretHeader = { stepId: string; name: string; value: string; origin: string };

const NAMES = /^(proxy-)?authorization$|^cookie$|key|token|secret|password|signature/i;
/** It names a request, and opens nothing. */
const IDEMPOTENCY_KEY = /^(x-)?idempotency[-_]?key$/i;

export function isSecretName(name: string): boolean {
  return NAMES.test(name) && !IDEMPOTENCY_KEY.test(name);
}

/**
 * Texts in headers of calls that are secrets by the name of the header. Values among them are filled in at each call: `Bearer {{steps.login.token}}` has
 * no secret of its own, and of `{{contact.id}}:k-123` only the end is one.
 */
export function findSecretHeaders({ steps }: FlowFile): SecretHeader[] {
  return steps
    .filter(({ type }) => type === 'webhook_call')
    .flatMap(({ id: stepId, config }) =>
      headersOf(config)
        .filter(({ name }) => isSecretName(name))
        .flatMap(({ name, value }) =>
          secretTextsOf(value).map((text) => ({
            ...{ stepId, name, value: text, origin: originOf(config['url']) },
          })),
        ),
    );
}

/** References to secrets, with the origin that their step calls. */
export function findSecretReferences({
  steps,
}: FlowFile): { stepId: string; secretId: string; origin: string }[] {
  return steps.flatMap(({ id: stepId, type, config }) =>
    type !== 'webhook_call'
      ? []
      : headersOf(config).flatMap(({ value }) =>
          secretIdsOf(value).map((secretId) => ({ stepId, secretId, origin: originOf(config['url']) })),
        ),
  );
}

/** The secrets that a header value refers to. */
export function secretIdsOf(value: string): string[] {
  return [...value.matchAll(SECRET_REFERENCE)].map(([, id]) => id!); // the group always matches
}

/** The value with its secrets in their places. */
export function putSecretsIn(value: string, secrets: ReadonlyMap<string, string>): string {
  return value.replace(SECRET_REFERENCE, (reference, id: string) => secrets.get(id) ?? reference);
}

/** The same flow with other texts in its secret headers. */
export function replaceHeaders(flow: FlowFile, replace: (header: SecretHeader) => string): FlowFile {
  return {
    ...flow,
    steps: flow.steps.map((step) => {
      const { headers } = step.config;
      if (step.type !== 'webhook_call' || !Array.isArray(headers)) return step;
      const origin = originOf(step.config['url']);
      const replaced = (headers as readonly Json[]).map((header) => {
        if (!isHeader(header) || !isSecretName(header.name)) return header;
        const { name } = header;
        const secrets = secretTextsOf(header.value);
        const value = header.value
          .split(REFERENCE)
          .map((text) =>
            secrets.includes(text) ? replace({ stepId: step.id, name, value: text, origin }) : text,
          )
          .join('');
        return { ...header, value };
      });
      return { ...step, config: { ...step.config, headers: replaced } };
    }),
  };
}

/** `https://example.com`; empty for what is no address yet. Hosts hold no values, so that the origin is known before the call. */
export function originOf(url: Json | undefined): string {
  return typeof url === 'string' ? (/^https?:\/\/[^/?#\s]+/i.exec(url)?.[0].toLowerCase() ?? '') : '';
}

/** The parts of a value that are written out, without those that say nothing: all of it where nothing is filled in. */
function secretTextsOf(value: string): string[] {
  const parts = value.split(REFERENCE);
  if (parts.length === 1) return value === '' ? [] : [value];
  // Every second one is a reference.
  return parts.filter((text, index) => index % 2 === 0 && !SCHEME.test(text));
}

function headersOf({ headers }: FlowConfig): { name: string; value: string }[] {
  return Array.isArray(headers) ? (headers as readonly Json[]).filter(isHeader) : [];
}

function isHeader(value: Json): value is { name: string; value: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { name, value: text } = value as { readonly [key: string]: Json };
  return typeof name === 'string' && typeof text === 'string';
}
