import { codeOf, readCode } from './kind-codes.ts';
import { rcsErrorTexts } from './rcs/rcs-error-texts.ts';
import { whatsAppErrorTexts } from './whatsapp/whatsapp-error-texts.ts';

/**
 * By kind of channel, one or two plain English sentences for each of its error codes: what happened, and what to do next. For callers of the API
 * and for files; the browser has them in five languages in the catalogue of the kind, and loads none of these.
 */
export const kindTexts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  whatsapp: whatsAppErrorTexts,
  rcs: rcsErrorTexts,
};

/** The text of a stored code, with the stored code that has it; undefined without a text. */
export function findKindText(stored: string): { code: string; text: string } | undefined {
  const { kind, code } = readCode(stored);
  const texts = kindTexts[kind] ?? {};
  const text = Object.hasOwn(texts, code) ? texts[code] : undefined;
  return text === undefined ? undefined : { code: codeOf({ kind, code }), text };
}
