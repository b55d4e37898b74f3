import pg from 'pg';
import { errorCode } from '../errors/database-errors.js';
import { isHopeless, meaningOf } from '../errors/sentence.js';
import type { DatabaseAddress, Host, Target } from './hosts.js';

/** The time for all hosts together: the pool gives up a connection after ten seconds. */
const LONGEST_SEARCH_MS = 9_000;
/** The time for one host: its network may drop packets. */
const LONGEST_LOOK_MS = 3_000;

/** No host of the URL fits `target_session_attrs`. */
export class NoHost extends Error {
  readonly code = 'ENOHOST';
}

/**
 * The hosts of a URL. The host that was found last is tried first, so that a dead host delays one search and not every
 * connection.
 */
export class HostSearch {
  private found: Host | null = null;

  constructor(readonly address: DatabaseAddress) {}

  /**
   * Finds the first host that answers and fits. The hosts are asked in order.
   * @throws NoHost with the finding for each host. An error that waiting cannot change is thrown at once.
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
    if (target === 'read-write' && isReadOnly) throw new Error('it is read-only');
    return { host: client.host, port: client.port };
  } finally {
    // Do not wait for its answer: a host that does not answer would delay the next one.
    void client.end().catch(() => undefined);
  }
}
