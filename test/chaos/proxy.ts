import { type AddressInfo, createServer, type Server, Socket } from 'node:net';
import type { Random } from '../support/random.js';
import type { Tally } from './tally.js';

/** A simple query of this text, as it goes over the wire. */
const COMMIT = Buffer.from('COMMIT\0');
const COMMITS = { pass: 0.91, cutBefore: 0.03, cutAfter: 0.05, swallowed: 0.01 };

interface Plan {
  /** Bytes in either direction until the connection is cut, or falls silent. */
  bytesLeft: number;
  readonly fallsSilent: boolean;
}

/**
 * Stands between workers and PostgreSQL and cuts connections: after some byte, and before and after a COMMIT takes
 * place. Others it only silences: nothing gets through any more, and neither end is told.
 */
export class CuttingProxy {
  cuts: Tally;
  /** While false, everything passes. */
  isCutting = false;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  constructor(
    private readonly target: () => { host: string; port: number },
    private readonly random: Random,
    cuts: Tally,
    private readonly silences = false,
  ) {
    this.cuts = cuts;
    this.server = createServer((client) => this.connect(client));
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private connect(client: Socket): void {
    const server = new Socket();
    const plan = this.plan();
    const end = (how: string | null) => {
      if (how !== null && !client.destroyed) this.cuts.add(how);
      if (how !== null && this.random.chance(0.5)) client.resetAndDestroy();
      else client.destroy();
      server.destroy();
      this.sockets.delete(client);
      this.sockets.delete(server);
    };
    this.sockets.add(client).add(server);
    for (const socket of [client, server]) {
      socket.on('error', () => end(null));
      socket.on('close', () => end(null));
    }
    let isCommitting = false;
    let isSilent = false;
    const silence = (how: string) => {
      this.cuts.add(how);
      isSilent = true;
    };
    client.on('data', (data: Buffer) => {
      if (isSilent) return;
      const commit = this.isCutting && data.includes(COMMIT) ? this.random.weighted(COMMITS) : 'pass';
      if (commit === 'cutBefore') return end('COMMIT, before it took place');
      isCommitting = commit === 'cutAfter';
      this.pass(data, server, plan, end, silence);
      if (commit === 'swallowed' && this.silences) silence('COMMIT, its answer swallowed');
    });
    server.on('data', (data: Buffer) => {
      if (isSilent) return;
      if (isCommitting) return end('COMMIT, after it took place');
      this.pass(data, client, plan, end, silence);
    });
    server.connect(this.target());
  }

  /** To the very byte: half of a message may have got through. */
  private pass(data: Buffer, to: Socket, plan: Plan, end: (how: string) => void, silence: (how: string) => void): void {
    if (!this.isCutting || data.length < plan.bytesLeft) {
      plan.bytesLeft -= data.length;
      to.write(data);
      return;
    }
    if (plan.fallsSilent) silence('silent after so many bytes');
    to.write(data.subarray(0, plan.bytesLeft), () => plan.fallsSilent || end('after so many bytes'));
    plan.bytesLeft = 0;
  }

  private plan(): Plan {
    const { random } = this;
    // From within the handshake to many batches later.
    const bytesLeft = random.chance(0.35) ? Math.floor(10 ** random.between(1.5, 6.5)) : Number.POSITIVE_INFINITY;
    return { bytesLeft, fallsSilent: this.silences && random.chance(0.1) };
  }
}
