import type { KindRules } from './kind-rules.ts';
import { rcsRules } from './rcs/rcs-rules.ts';
import { whatsAppRules } from './whatsapp/whatsapp-rules.ts';

/** The kinds of channels that this product has, the first one first. */
export const kindList: readonly KindRules[] = [whatsAppRules, rcsRules];

/** What people call a kind; a kind that is not listed goes by the name in its rows, and no kind by that of the first one. */
export function titleOfKind(name: string | undefined): string {
  const listed = kindList.find((kind) => name === undefined || kind.name === name);
  return listed?.title ?? name ?? '';
}
