/**
 * The network behind an address, as far as limits go: an IPv4 address stands for itself, also when it is written as
 * IPv6, and of an IPv6 address the first half counts, because one line has all of the other half to itself.
 */
export function networkOf(ipAddress: string | null): string {
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
  return `${all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
