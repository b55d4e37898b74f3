import { type AddressInfo, createServer } from 'node:net';

/** Resolves to the port if a server can listen on it at `host` (0: any free port); rejects as `listen` would. */
export function probePort(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const taken = (server.address() as AddressInfo).port;
      server.close(() => resolve(taken));
    });
  });
}

/** A free port of this machine; `wanted` if it is free. */
export function freePort(wanted = 0): Promise<number> {
  return probePort(wanted, '127.0.0.1').catch(() => probePort(0, '127.0.0.1'));
}
