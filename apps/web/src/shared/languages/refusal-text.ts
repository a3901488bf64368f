import { readCode } from '@app/domain/channel-kinds/kind-codes';
import { findText, t } from '../messages.ts';

/** A refusal by the platform's code; the platform's own words where we have none. The catalogue `deliveries` must be there. */
export function refusalText(code: string, told: string): string {
  return codeText(code) ?? (told || t('deliveries.refused', { code }));
}

/** What a code means, by the kind of channel that it belongs to; nothing where we have no text for it. */
export function codeText(stored: string): string | undefined {
  const { kind, code } = readCode(stored);
  return findText(`deliveries.code.${kind}.${code}`) ?? findText(`deliveries.code.${stored}`);
}

/** The same of a refusal that the server passed on. */
export function refusalOf({ word = '', reason = '' }: Readonly<Record<string, string | number>>): string {
  return refusalText(String(word), String(reason));
}
