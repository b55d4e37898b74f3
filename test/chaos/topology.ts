import { existsSync } from 'node:fs';
import { Bouncer } from '../support/postgres/pgbouncer.js';
import type { Random } from '../support/random.js';
import type { Cluster } from './cluster.js';
import { CuttingProxy } from './proxy.js';
import type { Tally } from './tally.js';

const PGBOUNCER = '/usr/sbin/pgbouncer';

/** The ways to the database: straight to both of its hosts, and through a pooler. All of them are cut at times. */
export class Topology {
  private readonly proxies: CuttingProxy[] = [];
  private bouncer: Bouncer | null = null;
  private workersUrl = '';
  private apiUrl = '';

  constructor(
    private readonly cluster: Cluster,
    private readonly pooledPercent: number,
    private readonly routes: Tally,
    private readonly random: Random,
  ) {}

  async open(random: (actor: string) => Random, cuts: Tally): Promise<void> {
    const { cluster } = this;
    const to = async (name: string, target: () => { host: string; port: number }, silences: boolean) => {
      const proxy = new CuttingProxy(target, random(name), cuts, silences);
      this.proxies.push(proxy);
      return `127.0.0.1:${await proxy.listen()}`;
    };
    const [one, other] = [() => cluster.addresses[0]!, () => cluster.addresses[1]!];
    const primary = () => ({ host: '127.0.0.1', port: cluster.server.port });
    this.workersUrl = this.through([await to('proxy', one, true), await to('proxy2', other, true)]);
    this.apiUrl = this.through([await to('apiProxy', one, false), await to('apiProxy2', other, false)]);
    if (!existsSync(PGBOUNCER)) return;
    this.bouncer = await Bouncer.before({ url: this.through([await to('poolProxy', primary, true)]) });
  }

  set isCutting(isCutting: boolean) {
    for (const proxy of this.proxies) proxy.isCutting = isCutting;
  }

  /** Of the next worker. */
  worker(): Readonly<Record<string, string>> {
    if (this.bouncer === null || !this.random.chance(this.pooledPercent / 100)) {
      this.routes.add('two hosts');
      return { DATABASE_URL: this.workersUrl };
    }
    this.routes.add('PgBouncer, transaction mode');
    return { DATABASE_URL: this.bouncer.url, DATABASE_POOLER: 'transaction' };
  }

  api(): Readonly<Record<string, string>> {
    return { DATABASE_URL: this.apiUrl };
  }

  async close(): Promise<void> {
    await this.bouncer?.stop();
    await Promise.all(this.proxies.map((proxy) => proxy.stop()));
  }

  private through(hosts: readonly string[]): string {
    const { username, password, pathname } = new URL(this.cluster.url);
    const query = hosts.length > 1 ? '?target_session_attrs=read-write' : '';
    return `postgres://${username}:${password}@${hosts.join(',')}${pathname}${query}`;
  }
}
