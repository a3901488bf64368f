import type { FlowConfig, FlowFile, Json } from './flow-file.ts';

/** In place of a secret value: `{{secret.<id>}}`. The value itself is sealed, and only the call opens it, to the origin that it was entered for. */
export const SECRET_REFERENCE = /^\{\{secret\.([0-9a-f-]{36})\}\}$/;

export type SecretHeader = { stepId: string; name: string; value: string; origin: string };

const NAMES = /^(proxy-)?authorization$|^cookie$|key|token|secret|password|signature/i;

export function isSecretName(name: string): boolean {
  return NAMES.test(name);
}

/** Header values of calls that are secrets by their names. A value that only stands for others, such as `{{trigger.body.token}}`, is none. */
export function findSecretHeaders({ steps }: FlowFile): SecretHeader[] {
  return steps
    .filter(({ type }) => type === 'webhook_call')
    .flatMap(({ id: stepId, config }) =>
      headersOf(config)
        .filter(({ name, value }) => isSecretName(name) && value !== '' && !isOneValue(value))
        .map(({ name, value }) => ({ stepId, name, value, origin: originOf(config['url']) })),
    );
}

/** References to secrets, with the origin that their step calls. */
export function findSecretReferences({
  steps,
}: FlowFile): { stepId: string; secretId: string; origin: string }[] {
  return steps.flatMap(({ id: stepId, type, config }) =>
    type !== 'webhook_call'
      ? []
      : headersOf(config).flatMap(({ value }) => {
          const secretId = SECRET_REFERENCE.exec(value)?.[1];
          return secretId === undefined ? [] : [{ stepId, secretId, origin: originOf(config['url']) }];
        }),
  );
}

/** The same flow with other header values. */
export function replaceHeaders(flow: FlowFile, replace: (header: SecretHeader) => string): FlowFile {
  return {
    ...flow,
    steps: flow.steps.map((step) => {
      const { headers } = step.config;
      if (step.type !== 'webhook_call' || !Array.isArray(headers)) return step;
      const origin = originOf(step.config['url']);
      const replaced = (headers as readonly Json[]).map((header) => {
        if (!isHeader(header) || !isSecretName(header.name)) return header;
        const { name, value } = header;
        if (value === '' || isOneValue(value)) return header;
        return { ...header, value: replace({ stepId: step.id, name, value, origin }) };
      });
      return { ...step, config: { ...step.config, headers: replaced } };
    }),
  };
}

/** `https://example.com`; empty for what is no address yet. Hosts hold no values, so that the origin is known before the call. */
export function originOf(url: Json | undefined): string {
  return typeof url === 'string' ? (/^https?:\/\/[^/?#\s]+/i.exec(url)?.[0].toLowerCase() ?? '') : '';
}

function isOneValue(value: string): boolean {
  return /^\{\{[^{}]+\}\}$/.test(value.trim());
}

function headersOf({ headers }: FlowConfig): { name: string; value: string }[] {
  return Array.isArray(headers) ? (headers as readonly Json[]).filter(isHeader) : [];
}

function isHeader(value: Json): value is { name: string; value: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { name, value: text } = value as { readonly [key: string]: Json };
  return typeof name === 'string' && typeof text === 'string';
}
