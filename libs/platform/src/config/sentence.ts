import { type AddressInfo, isIPv6 } from 'node:net';
import { errorCode, meaningOf } from '../database/index.js';

/** One sentence that says why the process cannot listen on `address`. */
export function listenSentence(error: unknown, setting: string, host: string, port: number): string {
  const code = errorCode(error);
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use by another program: stop that one, or set ${setting} to another port.`;
  if (code === 'EACCES') return `Port ${port} may not be opened by this user: set ${setting} to one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST ${host} is no address of this machine.`;
  return `Cannot listen on ${host}:${port}: ${meaningOf(error)}.`;
}

/**
 * The address that a server really listens on. `http://0.0.0.0:3000` means every address of the machine, so no log may
 * show it as the loopback.
 */
export function listeningUrl(server: { address(): AddressInfo | string | null }): string {
  const { address, port } = server.address() as AddressInfo;
  return `http://${isIPv6(address) ? `[${address}]` : address}:${port}`;
}
