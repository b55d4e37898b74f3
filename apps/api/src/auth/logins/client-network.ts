import { isIPv6 } from 'node:net';

const IPV4_IN_IPV6 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const GROUPS = 8;

/**
 * The network that login attempts from an address count against: one IPv4 address, or a /64 of IPv6, because a
 * provider's customer gets 2^64 addresses. A text that is not an address is used unchanged.
 */
export function clientNetwork(address: string): string {
  const ipv4 = IPV4_IN_IPV6.exec(address)?.[1];
  if (ipv4 !== undefined) return ipv4;
  const [bare] = address.split('%') as [string];
  if (!isIPv6(bare)) return address;
  const [head, tail] = bare.split('::').map((part) => (part === '' ? [] : part.split(':'))) as [string[], string[]?];
  const zeros = tail === undefined ? 0 : GROUPS - head.length - tail.length;
  const groups = [...head, ...Array.from({ length: zeros }, () => '0'), ...(tail ?? [])];
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
