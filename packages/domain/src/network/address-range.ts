type Address = { version: 4 | 6; value: bigint };

/**
 * Whether a network address is in a range: one address, or a network as CIDR (`203.0.113.0/24`, `2001:db8::/32`). An IPv4
 * address that is written as IPv6 (`::ffff:203.0.113.7`) is the IPv4 address. False for what is no address or no range.
 */
export function isInRange(address: string, range: string): boolean {
  const found = readAddress(address);
  const [start = '', bits, ...more] = range.split('/');
  const first = readAddress(start);
  if (!found || !first || found.version !== first.version || more.length > 0) return false;
  const width = first.version === 4 ? 32 : 128;
  // Of a range that is written as IPv6 and is IPv4 the first 96 bits are gone.
  const written = start.includes(':') ? 128 : 32;
  const length = bits === undefined ? width : Number(bits) - (written - width);
  if (!/^\d{1,3}$/.test(bits ?? '0') || length < 0 || length > width) return false;
  const free = BigInt(width - length);
  return found.value >> free === first.value >> free;
}

function readAddress(text: string): Address | null {
  if (!text.includes(':')) return readVersion4(text);
  const whole = readVersion6(text);
  if (whole === null) return null;
  return whole >> 32n === 0xffffn
    ? { version: 4, value: whole & 0xffff_ffffn }
    : { version: 6, value: whole };
}

function readVersion4(text: string): Address | null {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256))
    return null;
  return { version: 4, value: parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n) };
}

function readVersion6(text: string): bigint | null {
  const [head = '', tail, ...more] = text.split('::');
  if (more.length > 0) return null;
  const before = readGroups(head);
  const after = readGroups(tail ?? '');
  if (!before || !after) return null;
  const missing = 8 - before.length - after.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return null;
  const groups = [...before, ...Array.from({ length: missing }, () => 0n), ...after];
  return groups.reduce((value, group) => (value << 16n) | group, 0n);
}

/** Groups of 16 bits; the last two may be written as an IPv4 address. */
function readGroups(text: string): bigint[] | null {
  if (text === '') return [];
  const parts = text.split(':');
  const last = parts.at(-1)!; // split answers with one part at least
  const version4 = last.includes('.') ? readVersion4(last) : null;
  if (last.includes('.') && !version4) return null;
  const words = version4 ? parts.slice(0, -1) : parts;
  if (!words.every((word) => /^[0-9a-f]{1,4}$/i.test(word))) return null;
  const groups = words.map((word) => BigInt(`0x${word}`));
  return version4 ? [...groups, version4.value >> 16n, version4.value & 0xffffn] : groups;
}
