import type { Pool, PoolClient } from 'pg';
import type { Statement } from '../statements/statement.js';
import { sendTogether } from './driver.js';
import { ask } from './send.js';

/** With a longer queue for one connection, the last read would wait for all others. */
const MOST_TOGETHER = 8;

interface Read {
  readonly statement: Statement;
  readonly values: unknown[];
  readonly resolve: (rows: object[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads that take PostgreSQL less than a millisecond. All reads of one turn of the event loop, from all requests, share
 * a connection and a round trip. On a busier server more reads share one; a single read waits for nothing.
 */
export class ShortReads {
  private waiting: Read[] = [];

  constructor(private readonly pool: Pool) {}

  read<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return new Promise<Row[]>((resolve, reject) => {
      if (this.waiting.length === 0) setImmediate(() => this.depart());
      this.waiting.push({ statement, values, resolve: resolve as Read['resolve'], reject });
    });
  }

  private depart(): void {
    const all = this.waiting;
    this.waiting = [];
    for (let from = 0; from < all.length; from += MOST_TOGETHER) void this.send(all.slice(from, from + MOST_TOGETHER));
  }

  private async send(reads: readonly Read[]): Promise<void> {
    let client: PoolClient;
    try {
      client = await this.pool.connect();
    } catch (error) {
      for (const { reject } of reads) reject(error);
      return;
    }
    sendTogether(client);
    const answers = await Promise.allSettled(reads.map((read) => answered(client, read)));
    client.release(answers.some(({ status }) => status === 'rejected'));
  }
}

async function answered(client: PoolClient, { statement, values, resolve, reject }: Read): Promise<void> {
  try {
    resolve(await ask(client, statement, values));
  } catch (error) {
    reject(error);
    throw error;
  }
}
