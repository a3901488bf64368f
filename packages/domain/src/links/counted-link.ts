/** A link of a message that leads through the product to its target: the message has a placeholder in its place. */
export type CountedLink = {
  /** Origin and path in front of the code, such as `https://shop.example/l/`. */
  base: string;
  /** Names the link; a code of one contact begins with it. */
  code: string;
  /** Signs the codes of this link. */
  key: string;
  target: string;
  /** The address in front is part of an approved template: the code alone is written. */
  isSuffix?: true;
};

export const LINKS_PATH = '/l/';

/** What stands in front of the codes of counted links, below the address of the product: `https://shop.example/l/`. */
export function linkBase(publicUrl: string): string {
  return `${publicUrl}${LINKS_PATH}`;
}

/** As long as an address may be that the platforms take. */
export const LONGEST_TARGET = 2_048;

/** Addresses of a link in a text. Languages without spaces end them with punctuation of their own. */
const ADDRESS = /https?:\/\/[^\s<>"'“”«»。，、；：！？（）【】「」『』《》]+/gi;
const BEHIND = /[.,;:!?…]+$/;
/** Signs in which a text is bold, italic, struck out or code. */
const MARK = /[*_~`]$/;

/** Replaces each web address of a text; `change` answers null for one that stays as it is. */
export function mapAddresses(text: string, change: (address: string) => string | null): string {
  return text.replace(ADDRESS, (found, at: number) => {
    let address = found.replace(BEHIND, '');
    const line = text.slice(text.lastIndexOf('\n', at) + 1, at);
    while (MARK.test(address) && isOpen(line, address.slice(-1)))
      address = address.slice(0, -1).replace(BEHIND, '');
    // A bracket belongs to the address only where it was opened in it.
    while (/[)\]]$/.test(address) && !isBalanced(address)) address = address.slice(0, -1).replace(BEHIND, '');
    const changed = change(address);
    return changed === null ? found : changed + found.slice(address.length);
  });
}

/** Whether the text in front opens what such a sign closes. A sign inside another address opens nothing. */
function isOpen(line: string, mark: string): boolean {
  const words = line.replace(ADDRESS, (other) => /[*_~`]*$/.exec(other)?.[0] ?? '');
  return words.split(mark).length % 2 === 0;
}

function isBalanced(text: string): boolean {
  const count = (sign: string) => text.split(sign).length;
  return count('(') === count(')') && count('[') === count(']');
}

/** Where people end messages, or choose which they get: counting would put a redirect between them and their choice. */
const CHOICES =
  /unsubscrib|opt[-_]?out|opt[-_]?in\b|preference|abmeld|abbestell|d[eé]sabonn|d[eé]sinscri|desinscre|descadastr|darse[-_]?de[-_]?baja|desuscri|cancelar[-_]?(?:suscripci|inscri|assinatura)/i;

/** Scheme, host with port, and what follows; an address with a name or a password in front of the host is none. */
const WEB_ADDRESS =
  /^(https?):\/\/([\p{L}\p{N}.-]+(?::\d{1,5})?|\[[\d:a-f]+\](?::\d{1,5})?)((?:[/?#][^\s\\]*)?)$/iu;

/**
 * An address that may be counted, as it is written; null for one that stays as it is: no web address, one with a placeholder or a password in it,
 * one that ends messages, or one of the product itself.
 */
export function readTarget(address: string, ownOrigin: string): string | null {
  const text = address.trim();
  if (text.includes('{{') || text.length > LONGEST_TARGET) return null;
  const [, scheme, host, rest] = WEB_ADDRESS.exec(text) ?? [];
  if (scheme === undefined || host === undefined || rest === undefined) return null;
  if (`${scheme}://${host}`.toLowerCase() === ownOrigin.toLowerCase()) return null;
  return CHOICES.test(decode(host + rest)) ? null : text;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
