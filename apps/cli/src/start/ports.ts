import { setTimeout as pause } from 'node:timers/promises';
import { type Environment, errorCode, listenSentence, probePort, type Settings } from '#libs/platform';
import { Refusal } from '../refusal.js';

/** The demo login is public, so it must not be reachable from other machines unless somebody sets HOST. */
const LOOPBACK = '127.0.0.1';

export interface Addresses {
  readonly host: string;
  readonly port: number;
  readonly workerPort: number;
}

/** Processes of a killed start release their ports within this time. */
const PATIENCE_MS = 2_000;
const POLL_MS = 100;

async function take(port: number, host: string, setting: string): Promise<number> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await probePort(port, host);
    } catch (error) {
      if (errorCode(error) !== 'EADDRINUSE' || performance.now() > deadline) {
        throw new Refusal(listenSentence(error, setting, host, port));
      }
      await pause(POLL_MS);
    }
  }
}

/**
 * Decides where API and worker will listen, before anything is started. Only a port from the settings can be refused:
 * the worker's default port is replaced by any free one.
 */
export async function chooseAddresses(
  settings: Pick<Settings, 'host' | 'port' | 'workerPort'>,
  env: Environment,
): Promise<Addresses> {
  const isSet = (name: string) => (env[name] ?? '').trim() !== '';
  const host = isSet('HOST') ? settings.host : LOOPBACK;
  const port = await take(settings.port, host, 'PORT');
  const workerPort = isSet('WORKER_PORT')
    ? await take(settings.workerPort, host, 'WORKER_PORT')
    : await probePort(settings.workerPort, host).catch(() => probePort(0, host));
  if (port === workerPort) throw new Refusal(`PORT and WORKER_PORT are both ${port}: set one of them to another.`);
  return { host, port, workerPort };
}

/** The address at which this process reaches a server on `host`. */
export function innerUrl(host: string, port: number): string {
  const reached = host === '0.0.0.0' ? LOOPBACK : host === '::' ? '::1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

/** The address for the user's browser. */
export function shownUrl(host: string, port: number): string {
  return [LOOPBACK, '0.0.0.0', '::', '::1'].includes(host) ? `http://localhost:${port}` : innerUrl(host, port);
}
