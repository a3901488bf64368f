import ICAL from 'ical.js';
import type { CsvRow } from '@app/domain/contact-imports/csv-reader';

/** Headings that an import understands, for what cards hold. */
export const cardHeadings = [
  ...['Name', 'Phone', 'Phone 2', 'Phone 3', 'Phone 4', 'Email'],
  ...['Organization', 'Labels', 'Country', 'Birthday', 'Notes'],
];
const PHONES = 4;
/** A card with a picture is larger than one without; one of so many characters is none. */
const MOST_OF_CARD = 8_000_000;

/** Whether a text is one of cards (vCard 2.1, 3.0, 4.0). */
export function isVCard(start: string): boolean {
  return /^[\ufeff\s]*BEGIN:VCARD\s*[\r\n]/i.test(start);
}

/** Cards as the rows of a table: the headings, and one row for each. */
export async function* readVCards(texts: AsyncIterable<string>): AsyncGenerator<CsvRow[]> {
  let waiting = '';
  let line = 1;
  yield [{ cells: cardHeadings, line: 0 }];
  for await (const text of texts) {
    waiting += text;
    const rows: CsvRow[] = [];
    for (;;) {
      const end = /^END:VCARD[^\r\n]*(?:\r\n|\r|\n|$)/im.exec(waiting);
      if (!end || (waiting.length === end.index + end[0].length && !/[\r\n]$/.test(end[0]) && text !== ''))
        break;
      const card = waiting.slice(0, end.index + end[0].length);
      waiting = waiting.slice(card.length);
      rows.push({ cells: readCard(card), line });
      line += card.match(/\n/g)?.length ?? 0;
    }
    if (waiting.length > MOST_OF_CARD) waiting = '';
    yield rows;
  }
  if (/END:VCARD\s*$/i.test(waiting)) yield [{ cells: readCard(waiting), line }];
}

type Property = [name: string, params: Record<string, string | string[]>, type: string, ...values: unknown[]];

/** A card that cannot be read is a row of nothing, which is told as such. */
function readCard(text: string): string[] {
  let properties: Property[];
  try {
    const parsed: unknown = ICAL.parse(toVersion3(text));
    properties = Array.isArray(parsed) && Array.isArray(parsed[1]) ? (parsed[1] as Property[]) : []; // jCard, RFC 7095
  } catch {
    return cardHeadings.map((_, at) => (at === 0 ? (/^FN[^:]*:(.*)$/im.exec(text)?.[1]?.trim() ?? '') : ''));
  }
  const named = (name: string) => properties.filter(([own]) => own === name);
  const textOf = (property: Property | undefined, by = ' ') =>
    flat(property?.slice(3) ?? [])
      .filter((part) => part.trim() !== '')
      .join(by);
  const [family = '', given = '', middle = ''] = parts(named('n')[0]?.[3]);
  const phones = named('tel')
    .filter((one) => !/fax|pager|modem/i.test(typesOf(one).join(' ')))
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .map((one) => textOf(one).replace(/^tel:/i, ''));
  const full =
    textOf(named('fn')[0]) ||
    [given, middle, family].filter(Boolean).join(' ') ||
    textOf(named('nickname')[0]);
  const emails = named('email').toSorted((one, other) => rankOf(one) - rankOf(other));
  const [company = ''] = parts(named('org')[0]?.[3]);
  return [
    full,
    ...Array.from({ length: PHONES }, (_, at) =>
      at === PHONES - 1 ? phones.slice(at).join(' ::: ') : (phones[at] ?? ''),
    ),
    textOf(emails[0]),
    company,
    named('categories')
      .flatMap((one) => flat(one.slice(3)))
      .join(';'),
    parts(named('adr')[0]?.[3])[6] ?? '',
    textOf(named('bday')[0]),
    textOf(named('note')[0]),
  ];
}

/** A number that a person carries along goes first, of several the preferred one; then what is preferred. */
function rankOf(property: Property): number {
  const types = typesOf(property);
  const isPreferred = types.includes('pref') || property[1]['pref'] !== undefined;
  const isMobile = types.some((type) => /^(?:cell|iphone|mobile|x-mobile)$/.test(type));
  return (isMobile ? 0 : 2) + (isPreferred ? 0 : 1);
}

function typesOf([, { type }]: Property): string[] {
  return [type ?? []].flat().flatMap((one) => one.toLowerCase().split(','));
}

function parts(value: unknown): string[] {
  return Array.isArray(value) ? value.map((part) => flat([part]).join(' ')) : [flat([value]).join(' ')];
}

function flat(values: readonly unknown[]): string[] {
  return values.flatMap((value) =>
    Array.isArray(value)
      ? flat(value)
      : typeof value === 'string' || typeof value === 'number'
        ? [String(value)]
        : [],
  );
}

/**
 * Lines of version 2.1 as those of 3.0: types without a name (`TEL;CELL:`), quoted-printable values in a character set of their own, and no pictures, which
 * nobody reads here.
 */
function toVersion3(text: string): string {
  const isOld = /^VERSION:2\.1\s*$/im.test(text);
  const unfolded = text.replaceAll(/\r\n?/g, '\n').replaceAll(/\n[ \t]/g, isOld ? ' ' : '');
  const kept: string[] = [];
  const lines = unfolded.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    let line = lines[at] ?? '';
    if (line.trim() === '') continue;
    while (
      /ENCODING=QUOTED-PRINTABLE/i.test(line.split(':')[0] ?? '') &&
      line.endsWith('=') &&
      at + 1 < lines.length
    ) {
      at += 1;
      line = line.slice(0, -1) + (lines[at] ?? '').trimStart();
    }
    const [, head = '', value = ''] = /^([^:]+):(.*)$/s.exec(line) ?? [];
    // A line of a picture, or no property at all.
    if (
      head === '' ||
      /^(?:[\w-]+\.)?(?:PHOTO|LOGO|SOUND|KEY)\b/i.test(head) ||
      !/^[\w.-]+(?:;|$)/.test(head)
    )
      continue;
    kept.push(`${isOld ? renameTypes(head) : head}:${decodeValue(head, value)}`);
  }
  const whole = kept.join('\r\n').replace(/^VERSION:2\.1.*$/im, 'VERSION:3.0');
  return /^VERSION:/im.test(whole) ? whole : whole.replace(/^BEGIN:VCARD/i, 'BEGIN:VCARD\r\nVERSION:3.0');
}

function renameTypes(head: string): string {
  const [name = '', ...params] = head.split(';');
  const kept = params.flatMap((param) => {
    if (/^(?:ENCODING|CHARSET)=|^(?:QUOTED-PRINTABLE|BASE64|8BIT)$/i.test(param)) return [];
    return [param.includes('=') ? param : `TYPE=${param}`];
  });
  return [name, ...kept].join(';');
}

function decodeValue(head: string, value: string): string {
  if (!/ENCODING=QUOTED-PRINTABLE|;QUOTED-PRINTABLE/i.test(head)) return value;
  const charset = /CHARSET=([\w-]+)/i.exec(head)?.[1] ?? 'utf-8';
  const bytes = Buffer.from(
    value.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
  let text: string;
  try {
    text = new TextDecoder(charset).decode(bytes);
  } catch {
    text = bytes.toString('utf8');
  }
  return text.replaceAll(/\r\n?|\n/g, '\\n').replaceAll(',', '\\,');
}
