import { createHash, randomBytes } from 'node:crypto';
import { mix } from '../core/seeded-random.ts';

const HEX_OUTBOUND = 18;

/**
 * Ids of outgoing messages are computed from the ledger index, so the ledger need not store them. The salt keeps
 * two runs of the sandbox from giving the same id.
 */
export class MessageIds {
  readonly #salt: number = randomBytes(4).readInt32LE();

  idOf(index: number, recipientDigits: string): string {
    return encodeMessageId(recipientDigits, 0x11, this.#hexOf(index));
  }

  /** The ledger index of an id made by this instance. */
  indexOf(messageId: string): number | undefined {
    const hex = readHexPart(messageId);
    if (hex?.length !== HEX_OUTBOUND) return undefined;
    const head = Number.parseInt(hex.slice(0, 8), 16);
    const high = (Number.parseInt(hex.slice(8, 10), 16) ^ mix(this.#salt, head ^ 1)) & 0xff;
    const low = (Number.parseInt(hex.slice(10), 16) ^ mix(this.#salt, head)) >>> 0;
    const index = high * 0x1_0000_0000 + low;
    return this.#hexOf(index) === hex ? index : undefined;
  }

  #hexOf(index: number): string {
    const low = index >>> 0;
    const high = Math.floor(index / 0x1_0000_0000);
    const head = mix(mix(this.#salt, low), high) >>> 0;
    const tailHigh = (high ^ mix(this.#salt, head ^ 1)) & 0xff;
    const tailLow = (low ^ mix(this.#salt, head)) >>> 0;
    return toHex(head, 8) + toHex(tailHigh, 2) + toHex(tailLow, 8);
  }
}

/** The id of a message that a user wrote. */
export function newInboundMessageId(userDigits: string): string {
  return encodeMessageId(userDigits, 0x12, `3A${randomBytes(9).toString('hex').toUpperCase()}`);
}

export function newCallId(): string {
  return `wacid.${Buffer.from(randomBytes(24).toString('hex').toUpperCase()).toString('base64')}`;
}

// Layout decoded from published samples: 1C 18 <len> digits 15 02 00 <11|12> 18 <len> hex 00, standard base64.
function encodeMessageId(digits: string, direction: number, hex: string): string {
  const bytes = Buffer.allocUnsafe(9 + digits.length + hex.length);
  bytes[0] = 0x1c;
  bytes[1] = 0x18;
  bytes[2] = digits.length;
  bytes.write(digits, 3, 'latin1');
  let at = 3 + digits.length;
  bytes[at++] = 0x15;
  bytes[at++] = 0x02;
  bytes[at++] = 0x00;
  bytes[at++] = direction;
  bytes[at++] = 0x18;
  bytes[at] = hex.length;
  const whole = Buffer.concat([bytes.subarray(0, at + 1), Buffer.from(`${hex}\0`, 'latin1')]);
  return `wamid.${whole.toString('base64')}`;
}

function readHexPart(messageId: string): string | undefined {
  if (!messageId.startsWith('wamid.')) return undefined;
  const bytes = Buffer.from(messageId.slice(6), 'base64');
  const lengthAt = 3 + (bytes[2] ?? 0) + 5;
  const length = bytes[lengthAt] ?? 0;
  const hex = bytes.toString('latin1', lengthAt + 1, lengthAt + 1 + length);
  return hex.length === length ? hex : undefined;
}

function toHex(value: number, length: number): string {
  return value.toString(16).toUpperCase().padStart(length, '0');
}

/** 15 digits with a leading digit per kind of node; grows with time so that restarts do not repeat ids. */
export class NodeIds {
  #last = 0;

  next(kind: 'account' | 'number' | 'app' | 'upload' | 'template' | 'media'): string {
    this.#last = Math.max(this.#last + 1, (Date.now() - Date.UTC(2026, 0, 1)) * 100);
    return String(leadingDigit[kind] * 100_000_000_000_000 + (this.#last % 100_000_000_000_000));
  }
}

const leadingDigit = { account: 1, number: 2, app: 3, upload: 5, template: 7, media: 9 };

/** The business-scoped user id of a phone number: stable, country code first. */
export function userIdOf(digits: string): string {
  const number = createHash('sha256').update(`user:${digits}`).digest().readUIntBE(0, 6);
  return `${countryOf(digits)}.${String(number).padStart(13, '7').slice(0, 13)}`;
}

// oxfmt-ignore
const countryByPrefix: readonly (readonly [string, string])[] = [
  ['971', 'AE'], ['966', 'SA'], ['972', 'IL'], ['880', 'BD'], ['852', 'HK'], ['420', 'CZ'], ['358', 'FI'],
  ['353', 'IE'], ['351', 'PT'], ['254', 'KE'], ['234', 'NG'], ['212', 'MA'], ['91', 'IN'], ['90', 'TR'],
  ['86', 'CN'], ['82', 'KR'], ['81', 'JP'], ['65', 'SG'], ['64', 'NZ'], ['63', 'PH'], ['62', 'ID'], ['61', 'AU'],
  ['60', 'MY'], ['57', 'CO'], ['56', 'CL'], ['55', 'BR'], ['54', 'AR'], ['52', 'MX'], ['51', 'PE'], ['49', 'DE'],
  ['48', 'PL'], ['47', 'NO'], ['46', 'SE'], ['45', 'DK'], ['44', 'GB'], ['43', 'AT'], ['41', 'CH'], ['40', 'RO'],
  ['39', 'IT'], ['36', 'HU'], ['34', 'ES'], ['33', 'FR'], ['32', 'BE'], ['31', 'NL'], ['30', 'GR'], ['27', 'ZA'],
  ['20', 'EG'], ['7', 'RU'], ['1', 'US'],
];

/** The country code in front of a number; one digit where the table does not know it. */
export function dialCodeOf(digits: string): string {
  return countryByPrefix.find(([prefix]) => digits.startsWith(prefix))?.[0] ?? digits.slice(0, 1);
}

export function countryOf(digits: string): string {
  return countryByPrefix.find(([prefix]) => digits.startsWith(prefix))?.[1] ?? 'ZZ';
}
