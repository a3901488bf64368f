import type { Json } from './flow-file.ts';
import { isSecretName } from './secret-headers.ts';

export const MASKED = '••••';

/** The value with every part masked whose name says that it is a secret, at any depth. */
export function maskSecrets(value: Json): Json {
  if (Array.isArray(value)) return value.map((part: Json) => maskSecrets(part));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      isSecretName(name) && part !== null ? MASKED : maskSecrets(part),
    ]),
  );
}
