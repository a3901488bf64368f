/**
 * The network behind an address, as far as limits go: an IPv4 address stands for itself, also when it is written as
 * IPv6, and of an IPv6 address the first half counts, because one line has all of the other half to itself.
 */
export function networkOf(ipAddress: string | null): string {
  const address = readAddress(ipAddress);
  return typeof address === 'string' ? address : `${address.slice(0, 4).join(':')}::/64`;
}

/** The first 48 bits of an IPv6 address: what one customer of a provider often has. Null for an IPv4 address. */
export function siteOf(ipAddress: string | null): string | null {
  const address = readAddress(ipAddress);
  return typeof address === 'string' ? null : `${address.slice(0, 3).join(':')}::/48`;
}

/** The groups of an IPv6 address, or an IPv4 address as it is. */
function readAddress(ipAddress: string | null): string | string[] {
  const address = (ipAddress ?? '').split('%')[0]!.toLowerCase(); // split() always gives one part
  if (!address.includes(':')) return address || 'unknown';
  const [, ipv4] = /^(?:::|(?:0+:){5})ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address) ?? [];
  if (ipv4) return ipv4;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  // What `::` leaves out; an IPv4 end stands for two groups.
  const left = tail === undefined ? 0 : 8 - groups.length - after.length - (address.includes('.') ? 1 : 0);
  const all = [...groups, ...Array.from({ length: Math.max(left, 0) }, () => '0'), ...after];
  return all.map((group) => group.replace(/^0+(?=.)/, ''));
}
