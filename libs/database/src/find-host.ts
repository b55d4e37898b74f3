import pg from 'pg';
import { errorCode } from './database-errors.js';
import type { DatabaseAddress, Host, Target } from './hosts.js';
import { isHopeless, meaningOf } from './sentence.js';

/** All hosts together: the pool gives up a connection after ten seconds. */
const LONGEST_SEARCH_MS = 9_000;
/** One host: it may be behind a network that swallows packets. */
const LONGEST_LOOK_MS = 3_000;

/** No host of the URL is what `target_session_attrs` asks for. */
export class NoHost extends Error {
  readonly code = 'ENOHOST';
}

/** The hosts of a URL with the one that was found last, which is tried first: a dead host costs one search, not every connection. */
export class HostSearch {
  private found: Host | null = null;

  constructor(readonly address: DatabaseAddress) {}

  /**
   * The first host that answers and is what is asked for; the others are asked in order.
   * @throws NoHost with what was found at each. What a host says that waiting does not change, at once.
   */
  async find(config: pg.ClientConfig): Promise<{ host: string; port: number }> {
    const { hosts, target } = this.address;
    const inOrder = this.found === null ? hosts : [this.found, ...hosts.filter((host) => host !== this.found)];
    const limitMs = Math.min(LONGEST_LOOK_MS, LONGEST_SEARCH_MS / hosts.length);
    const faults: string[] = [];
    for (const host of inOrder) {
      try {
        const place = await look(host, target, config, limitMs);
        this.found = host;
        return place;
      } catch (error) {
        if (isHopeless(error) && errorCode(error) !== undefined) throw error;
        faults.push(`${host.name}: ${meaningOf(error)}`);
      }
    }
    throw new NoHost(faults.join('; '));
  }
}

const LOOK = `SELECT pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only') = 'on' AS "isReadOnly"`;

async function look(host: Host, target: Target, config: pg.ClientConfig, limitMs: number) {
  const client = new pg.Client({
    ...config,
    connectionString: host.url,
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ isStandby: boolean; isReadOnly: boolean }>(LOOK);
    const { isStandby, isReadOnly } = rows[0]!;
    if (target !== 'any' && isStandby) throw new Error('it is a standby');
    if (target === 'read-write' && isReadOnly) throw new Error('it only lets read');
    return { host: client.host, port: client.port };
  } finally {
    // Its answer is not waited for: a host that fell silent would hold up the next.
    void client.end().catch(() => undefined);
  }
}
