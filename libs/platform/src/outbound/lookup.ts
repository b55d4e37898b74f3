import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import type { AddressRule } from './address-rule.js';
import { OutboundError } from './outbound-error.js';

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** Per server and try. */
const ANSWER_MS = 2_000;
/** RFC 2606: they lead nowhere. */
const RESERVED = /(^|\.)(example|invalid)\.?$/i;
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Asks DNS itself. The system's own look-up (getaddrinfo) has few threads for the whole process: a merchant's slow name
 * server would hold up the look-ups of payment gateways.
 */
export const resolveByDns: Resolve = async (name) => {
  if (/^(.+\.)?localhost\.?$/i.test(name)) return LOOPBACK;
  if (RESERVED.test(name)) return [];
  const resolver = new Resolver({ timeout: ANSWER_MS, tries: 2 });
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
};

interface Judged {
  readonly rule: AddressRule;
  readonly protocol: string;
  readonly resolve: Resolve;
  /** Called with each address that only the setting opens. */
  readonly opened: (address: string) => void;
}

/**
 * The look-up of one connection. It judges the addresses that the connection is then made to, so a name cannot lead
 * elsewhere in between. One address that is not allowed refuses the name.
 */
export function judgedLookup({ rule, protocol, resolve, opened }: Judged): LookupFunction {
  const judge = async (name: string) => {
    const addresses = await resolve(name);
    if (addresses.length === 0) throw new OutboundError(`The name ${name} is not known in DNS.`);
    // The message does not say which address it is: names of an inner network are nobody else's business.
    if (!addresses.every((address) => rule.mayConnect(address, protocol)))
      throw new OutboundError(`The name ${name} leads to an address that is not allowed: it must be a public one.`);
    for (const address of addresses) if (rule.isOpened(address)) opened(address);
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return (name, options, callback) => {
    judge(name).then(
      (found) => {
        if (options.all === true) callback(null, found);
        else callback(null, found[0]!.address, found[0]!.family);
      },
      (error: Error) => callback(error, []),
    );
  };
}
