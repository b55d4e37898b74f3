import { BlockList, isIP } from 'node:net';

type Family = 'ipv4' | 'ipv6';

const familyOf = (address: string): Family => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

function listOf(...subnets: string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', prefix] = subnet.split('/');
    const family = familyOf(address);
    list.addSubnet(address, prefix === undefined ? (family === 'ipv4' ? 32 : 128) : Number(prefix), family);
  }
  return list;
}

/** Special-purpose networks (IANA, IPv4 and IPv6 Special-Purpose Address Registries). */
const SPECIAL = listOf(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
);

/**
 * Everything else of IPv6 is no public unicast: loopback, link-local, mapped and translated IPv4 (NAT64), multicast,
 * unassigned.
 */
const GLOBAL_IPV6 = listOf('2000::/3');

/** Which addresses this service may connect to on somebody's behalf. */
export class AddressRule {
  private readonly opened: BlockList;
  /** Whether anything besides the public addresses is open; then `http:` is allowed to what is. */
  readonly opensAny: boolean;

  /** `allowed`: addresses and CIDR ranges that are open although they are not public (OUTBOUND_ALLOWED_ADDRESSES). */
  constructor(allowed: readonly string[]) {
    this.opened = listOf(...allowed);
    this.opensAny = allowed.length > 0;
  }

  /** Whether the setting opens it. */
  isOpened(address: string): boolean {
    return isIP(address) !== 0 && !address.includes('%') && this.opened.check(address, familyOf(address));
  }

  /** Whether it is a public unicast address. */
  isPublic(address: string): boolean {
    if (isIP(address) === 0 || address.includes('%')) return false;
    const family = familyOf(address);
    if (family === 'ipv6' && !GLOBAL_IPV6.check(address, family)) return false;
    return !SPECIAL.check(address, family);
  }

  /** `http:` goes to opened addresses only. */
  mayConnect(address: string, protocol: string): boolean {
    return this.isOpened(address) || (protocol === 'https:' && this.isPublic(address));
  }
}
