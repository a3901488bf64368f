import { findText, t } from '../messages.ts';

/** A refusal by the platform's code; the platform's own words where we have none. The catalogue `deliveries` must be there. */
export function refusalText(code: string, told: string): string {
  return codeText(code) ?? (told || t('deliveries.refused', { code }));
}

/** What a code of the platform means; nothing where we have no words for it. */
export function codeText(code: string): string | undefined {
  // 200 to 299 are all missing permissions.
  return findText(`deliveries.code.${/^2\d\d$/.test(code) ? '200' : code}`);
}

/** The same of a refusal that the server passed on. */
export function refusalOf({ word = '', reason = '' }: Readonly<Record<string, string | number>>): string {
  return refusalText(String(word), String(reason));
}
