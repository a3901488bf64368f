import { kindList } from './kind-list.ts';
import type { KindErrors } from './kind-rules.ts';

/** An error code of a platform, with the kind of channel that it belongs to. */
export type KindCode = { kind: string; code: string };

/** The code as it is stored: with the name of the kind in front, but for the one kind whose codes are bare. */
export function codeOf({ kind, code }: KindCode): string {
  return errorsOf(kind)?.hasBareCodes ? code : `${kind}.${code}`;
}

/** Which kind a stored code belongs to, and its own code there: of a range of codes that mean the same, the one that has the text. */
export function readCode(stored: string): KindCode {
  const dot = stored.indexOf('.');
  const named = stored.slice(0, Math.max(dot, 0));
  const kind = errorsOf(named) ? named : (kindList.find(({ errors }) => errors.hasBareCodes)?.name ?? '');
  const code = kind === named ? stored.slice(dot + 1) : stored;
  return { kind, code: errorsOf(kind)?.listed?.(code) ?? code };
}

/** Whether the platform means by it that some value of a call is bad, and no more. */
export function isBadValue(stored: string): boolean {
  const { kind, code } = readCode(stored);
  return errorsOf(kind)?.badValue === code;
}

/** As stored, of all kinds: a time limit ended first. */
export const expiredCodes: readonly string[] = kindList.flatMap(({ name, errors }) =>
  (errors.expired ?? []).map((code) => codeOf({ kind: name, code })),
);

/** As stored, of all kinds. */
export const lastingCodes: readonly string[] = kindList.flatMap(({ name, errors }) =>
  errors.lasting.map((code) => codeOf({ kind: name, code })),
);

function errorsOf(kind: string): KindErrors | undefined {
  return kindList.find(({ name }) => name === kind)?.errors;
}
