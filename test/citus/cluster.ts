import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute } from '../operate/support/execute.js';
import { Postgres } from '../operate/support/postgres.js';
import { DISTRIBUTE } from '../support/sql/distribute.js';

const DATABASE = 'orders';

const SETTINGS = {
  shared_preload_libraries: 'citus',
  max_prepared_transactions: '200',
  max_connections: '300',
  wal_level: 'logical',
  'citus.shard_count': '8',
  'citus.recover_2pc_interval': '1s',
  'citus.node_conninfo': 'sslmode=disable',
  'citus.enable_unsafe_triggers': 'on',
  // Nobody is told how many rows there are.
  'citus.enable_statistics_collection': 'off',
};

/** A coordinator and two nodes, each a PostgreSQL with Citus. */
export class Cluster {
  private constructor(
    readonly coordinator: Postgres,
    /** Those that have the shards. Citus calls them workers. */
    readonly nodes: readonly [Postgres, Postgres],
  ) {}

  /** `bin`: the programs of a PostgreSQL that Citus was installed into. */
  static async start(bin: string): Promise<Cluster> {
    const start = async () => {
      const node = await Postgres.start(bin, SETTINGS, trusting);
      await node.execute(`CREATE DATABASE ${DATABASE}`);
      await node.execute('CREATE EXTENSION citus', DATABASE);
      return node;
    };
    const [coordinator, ...nodes] = await Promise.all([start(), start(), start()]);
    const port = ({ server }: Postgres) => server.port;
    await coordinator.execute(`SELECT citus_set_coordinator_host('127.0.0.1', ${port(coordinator)})`, DATABASE);
    for (const node of nodes) {
      await coordinator.execute(`SELECT citus_add_node('127.0.0.1', ${port(node)})`, DATABASE);
    }
    return new Cluster(coordinator, nodes);
  }

  get url(): string {
    return this.coordinator.url(DATABASE);
  }

  /** Runs the script, as its head says. */
  async distribute(): Promise<void> {
    await execute(this.url, `BEGIN; ${DISTRIBUTE} COMMIT`);
  }

  /** The distributed tables. */
  async tables(): Promise<Set<string>> {
    const rows = await execute<{ name: string }>(
      this.url,
      `SELECT logicalrelid::text AS name FROM pg_dist_partition WHERE partmethod = 'h'`,
    );
    return new Set(rows.map(({ name }) => name));
  }

  async stop(): Promise<void> {
    await Promise.all([this.coordinator, ...this.nodes].map((node) => node.stop()));
  }
}

/** The nodes connect to each other without a password. */
function trusting(_folder: string, dataFolder: string): void {
  writeFileSync(join(dataFolder, 'pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n');
}
