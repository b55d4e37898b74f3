import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { HttpRequest } from '../../support/api/connections.js';

/**
 * A client that wants to be alone: it opens what it likes until it is stopped, and does not care what it is answered.
 */
export class Attacker {
  private readonly sockets: Socket[] = [];
  private readonly agents: Agent[] = [];
  private readonly loops: Promise<void>[] = [];
  private isStopped = false;
  /** What it has been answered, by status. */
  readonly answered: Record<string, number> = {};

  constructor(private readonly url: string) {}

  /**
   * Connections, each of which is written `first` as soon as it is open. What comes back is read unless `isRead` is
   * false.
   */
  connect(count: number, first: string, isRead = true): Socket[] {
    const { hostname, port } = new URL(this.url);
    const opened = Array.from({ length: count }, () => {
      const socket = connect(Number(port), hostname, () => socket.write(first));
      if (isRead) socket.resume();
      else socket.pause();
      return socket.on('error', () => undefined);
    });
    this.sockets.push(...opened);
    return opened;
  }

  /** Keeps `count` connections busy, each with one request after the other, and throws the answers away. */
  ask(count: number, next: () => HttpRequest, localAddress?: string): void {
    const agent = new Agent({ keepAlive: true, maxSockets: count, ...(localAddress && { localAddress }) });
    this.agents.push(agent);
    const loop = async () => {
      while (!this.isStopped) await this.send(next(), agent);
    };
    this.loops.push(...Array.from({ length: count }, loop));
  }

  /** Does something again and again. */
  every(ms: number, act: () => void): void {
    const loop = async () => {
      while (!this.isStopped) {
        act();
        await pause(ms);
      }
    };
    this.loops.push(loop());
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    for (const socket of this.sockets) socket.destroy();
    for (const agent of this.agents) agent.destroy();
    await Promise.all(this.loops);
  }

  private send({ method, path, headers, body }: HttpRequest, agent: Agent): Promise<void> {
    const { hostname, port } = new URL(this.url);
    return new Promise((resolve) => {
      const sent = request({ hostname, port, method, path, headers: { ...headers }, agent }, (response) => {
        const status = String(response.statusCode);
        this.answered[status] = (this.answered[status] ?? 0) + 1;
        response.resume().on('error', () => undefined);
      });
      sent.on('error', () => undefined);
      sent.once('close', resolve);
      sent.end(body);
    });
  }
}
