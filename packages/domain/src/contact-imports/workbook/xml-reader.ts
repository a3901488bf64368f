/** XML that is broken, or longer in one place than any that a spreadsheet writes. */
export class XmlUnreadable extends Error {}

export type XmlEvents = {
  /** Names are without their prefix; attributes are read when they are asked for. */
  open(name: string, attribute: (name: string) => string | undefined): void;
  text(text: string): void;
  close(name: string): void;
};

/** No tag and no text of a cell is longer. */
const MOST_HELD = 1_000_000;

/**
 * Reads the XML of a part of a workbook as it arrives in pieces. It knows what those have: no document type, and so no entity but the
 * five of XML and characters by number.
 */
export function openXmlReader({ open, text, close }: XmlEvents): { push(piece: string): void; end(): void } {
  let held = '';

  function read(isEnd: boolean): void {
    let at = 0;
    for (;;) {
      const mark = held.indexOf('<', at);
      if (mark === -1) break;
      const isComment = held.startsWith('<!--', mark);
      const isData = held.startsWith('<![CDATA[', mark);
      if (!isEnd && held.length - mark < '<![CDATA['.length) break;
      const closing = isComment ? '-->' : isData ? ']]>' : '>';
      const end = isComment || isData ? held.indexOf(closing, mark) : findTagEnd(held, mark);
      if (end === -1) break;
      if (mark > at) text(decode(held.slice(at, mark)));
      if (isData) text(held.slice(mark + '<![CDATA['.length, end));
      else if (!isComment) readTag(held.slice(mark + 1, end));
      at = end + closing.length;
    }
    held = held.slice(at);
    if (held.length > MOST_HELD) throw new XmlUnreadable();
    if (isEnd && held.trim() !== '') throw new XmlUnreadable();
  }

  function readTag(tag: string): void {
    if (tag.startsWith('!')) throw new XmlUnreadable();
    if (tag.startsWith('?')) return;
    if (tag.startsWith('/')) return close(localName(tag.slice(1).trim()));
    const isEmpty = tag.endsWith('/');
    const [, name = ''] = /^([^\s/]+)/.exec(tag) ?? [];
    open(localName(name), (wanted) => readAttribute(tag, wanted));
    if (isEmpty) close(localName(name));
  }

  return {
    push(piece) {
      held += piece;
      read(false);
    },
    end: () => read(true),
  };
}

/** Where a tag ends: a value in quotes may hold the mark, too. */
function findTagEnd(xml: string, from: number): number {
  let end = xml.indexOf('>', from);
  while (end !== -1 && isInQuotes(xml, from, end)) end = xml.indexOf('>', end + 1);
  return end;
}

function isInQuotes(xml: string, from: number, to: number): boolean {
  let quote = '';
  for (let at = from; at < to; at += 1) {
    const character = xml.charAt(at);
    if (quote === '' && (character === '"' || character === "'")) quote = character;
    else if (character === quote) quote = '';
  }
  return quote !== '';
}

/** `name` may have a prefix in the tag, as relations have: `r:id`. */
function readAttribute(tag: string, name: string): string | undefined {
  const found = patternOf(name).exec(tag);
  return found ? decode(found[1] ?? found[2] ?? '') : undefined;
}

const patterns = new Map<string, RegExp>();

function patternOf(name: string): RegExp {
  const known = patterns.get(name) ?? new RegExp(`\\s(?:\\w+:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`);
  patterns.set(name, known);
  return known;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function decode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return ENTITIES[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
