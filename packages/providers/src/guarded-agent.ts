import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import { Agent, buildConnector } from 'undici';

/** Thrown for an address that is not of the open network. */
export class AddressRefused extends Error {
  override name = 'AddressRefused';
  readonly code = 'ERR_ADDRESS_REFUSED';
  constructor() {
    super('This address is not one of the open network.');
  }
}

const notPublic = new BlockList();
for (const [network, bits] of [
  ...([['0.0.0.0', 8] as const, ['10.0.0.0', 8], ['100.64.0.0', 10], ['127.0.0.0', 8]] as const),
  ...([['169.254.0.0', 16] as const, ['172.16.0.0', 12], ['192.0.0.0', 24], ['192.0.2.0', 24]] as const),
  ...([['192.88.99.0', 24] as const, ['192.168.0.0', 16], ['198.18.0.0', 15], ['198.51.100.0', 24]] as const),
  ...([['203.0.113.0', 24] as const, ['224.0.0.0', 4], ['240.0.0.0', 4]] as const),
] as const)
  notPublic.addSubnet(network, bits, 'ipv4');
// Teredo, 6to4 and documentation lie in what is public.
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  notPublic.addSubnet(network, bits, 'ipv6');
const publicIPv6 = new BlockList();
publicIPv6.addSubnet('2000::', 3, 'ipv6');

/** Whether an address belongs to the open network: not to this machine, a network of somebody's own, or the cloud below. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !notPublic.check(address, 'ipv4');
  return isIP(address) === 6 && publicIPv6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
}

/** Whether the operator has named this host, as `host` or as `host:port`. */
export function namesHost(
  named: readonly string[],
  { hostname, port, protocol }: { hostname: string; port?: string | null; protocol?: string | null },
): boolean {
  const host = bare(hostname);
  const usual = protocol === 'http:' ? '80' : '443';
  const withPort = `${host.includes(':') ? `[${host}]` : host}:${port || usual}`;
  return named.some((name) => bare(name) === host || name.toLowerCase() === withPort);
}

/**
 * Connections to the open network alone, and to the hosts that the operator has named, as `host` or as `host:port`. Each address that a name stands for is looked at when the
 * connection is opened, so that a name which answers otherwise the second time gains nothing.
 */
export function createGuardedAgent({
  namedHosts = [],
  connectMs = 5_000,
  ...limits
}: { namedHosts?: readonly string[]; connectMs?: number } & Pick<
  Agent.Options,
  'connections' | 'headersTimeout' | 'bodyTimeout'
> = {}): Agent {
  const free = buildConnector({ timeout: connectMs });
  const guarded = buildConnector({ timeout: connectMs, lookup: lookUpPublic });
  return new Agent({
    ...limits,
    connect(options, callback) {
      const host = bare(options.hostname);
      if (namesHost(namedHosts, options)) return free(options, callback);
      // No name is looked up for what is an address already.
      if (isIP(host) !== 0 && !isPublicAddress(host)) return callback(new AddressRefused(), null);
      return guarded(options, callback);
    },
  });
}

function bare(host: string): string {
  return host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
}

function lookUpPublic(
  host: string,
  options: LookupOptions,
  done: (error: Error | null, found: string | LookupAddress[], family?: number) => void,
): void {
  lookup(host, { ...options, all: true }, (error, found) => {
    if (error) return done(error, []);
    const allowed = found.filter(({ address }) => isPublicAddress(address));
    const [first] = allowed;
    if (!first) return done(new AddressRefused(), []);
    if (options.all) done(null, allowed);
    else done(null, first.address, first.family);
  });
}
