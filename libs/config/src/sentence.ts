import { isIPv6, type AddressInfo } from 'node:net';
import { errorCode, meaningOf } from '#libs/database';

/** One sentence on why `address` cannot be listened on. */
export function listenSentence(error: unknown, setting: string, host: string, port: number): string {
  const code = errorCode(error);
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use by another program: stop that one, or set ${setting} to another port.`;
  if (code === 'EACCES') return `Port ${port} may not be opened by this user: set ${setting} to one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST ${host} is no address of this machine.`;
  return `Cannot listen on ${host}:${port}: ${meaningOf(error)}.`;
}

/** Where a server really listens: `http://0.0.0.0:3000` is every address of the machine, and no log may say that it is the loopback only. */
export function listeningUrl(server: { address(): AddressInfo | string | null }): string {
  const { address, port } = server.address() as AddressInfo;
  return `http://${isIPv6(address) ? `[${address}]` : address}:${port}`;
}
