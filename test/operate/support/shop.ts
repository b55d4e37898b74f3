import { cli } from '../../cli/run.js';
import { requestTo } from '../../support/api.js';
import { type ApiProcess, startApi } from '../../support/api-process.js';
import { StripeStandIn } from '../../support/gateways/index.js';
import { until } from '../../support/until.js';
import { ENCRYPTION_KEY, startWorker, type WorkerProcess } from '../../support/worker.js';

const EMAIL = 'owner@shop.example';
const PASSWORD = 'a password of a shop';

/** How a topology is reached. */
export interface Reached {
  /** Of API and worker. */
  readonly url: string;
  /** Of `migrate`, where it is another one. */
  readonly migrateUrl?: string;
  /** Settings of all processes, besides. */
  readonly env?: Readonly<Record<string, string>>;
}

type Fields = Record<string, unknown>;
type Answer = Record<string, unknown> & { Id: number };

/** A command of the built command line. @throws Error with what it said, when it fails. */
export async function command(url: string, env: Readonly<Record<string, string>>, ...args: string[]): Promise<string> {
  const ran = await cli(args, { env: { DATABASE_URL: url, ENCRYPTION_KEY, ...env } });
  if (ran.code !== 0) throw new Error(`${args[0]} ended with ${ran.code}: ${ran.stderr}`);
  return ran.stdout;
}

/**
 * A shop on some topology, as its owner works with it: everything is a process of its own, and everything is asked over
 * REST. Only the gateway is a stand-in, whose books say what was charged.
 */
export class Shop {
  api!: ApiProcess;
  worker!: WorkerProcess;
  private request!: ReturnType<typeof requestTo>;
  private token = '';
  private customer = 0;
  private product = 0;

  private constructor(
    private reached: Reached,
    readonly gateway: StripeStandIn,
  ) {}

  /** Migrates, makes the account, starts API and worker, and makes what an order needs. */
  static async open(reached: Reached): Promise<Shop> {
    const shop = new Shop(reached, await StripeStandIn.start());
    await command(reached.migrateUrl ?? reached.url, reached.migrateUrl === undefined ? shop.env : {}, 'migrate');
    const site = ['--site-name', 'Shop', '--site-url', 'https://shop.example'];
    await command(reached.url, shop.env, 'merchant:create', '--email', EMAIL, '--password', PASSWORD, ...site);
    await shop.start(reached);
    await shop.furnish();
    return shop;
  }

  /** Starts API and worker (again), and logs in. */
  async start(reached: Reached = this.reached): Promise<void> {
    this.reached = reached;
    const env = { DATABASE_URL: reached.url, ENCRYPTION_KEY, RATE_LIMIT_PER_SECOND: '0', ...this.env };
    this.api = startApi(env);
    const worker = { GATEWAY_ONE_URL: this.gateway.url, PROCESSOR_CRON: '* * * * * *', GATEWAY_TIMEOUT: 'PT2S' };
    this.worker = await startWorker(reached, { ...worker, ...this.env });
    this.request = requestTo(await this.api.url());
    const body = { Email: EMAIL, Password: PASSWORD, AccessScope: 'Merchant' };
    this.token = (await this.ask('POST', '/api/AccessTokens/Login', body)).TokenAuth as string;
  }

  /** Everything ends as with a service manager, with 0. */
  async stop(): Promise<void> {
    this.api.child.kill('SIGTERM');
    this.worker.kill('SIGTERM');
    expect([await this.api.exited, await this.worker.exited]).toEqual([0, 0]);
  }

  async ask<T = Answer>(method: string, path: string, body?: Fields): Promise<T> {
    const answered = await this.request(method, path, { token: this.token, ...(body && { body }) });
    if (answered.status >= 300)
      throw new Error(`${method} ${path}: ${answered.status} ${JSON.stringify(answered.body)}`);
    return answered.body as T;
  }

  /** A new scheduled order, over REST. */
  async create(): Promise<number> {
    const order = await this.ask('POST', '/api/ScheduledOrders', {
      CustomerId: this.customer,
      FrequencyType: 'Months',
      Frequency: 1,
      PaymentMethodType: 'GatewayOne',
      PaymentMethodCustomerId: 'cus_1',
      PaymentMethodId: 'pm_card',
      ScheduledOrderItems: [{ ProductId: this.product, Quantity: 2 }],
    });
    return order.Id;
  }

  /** Waits until the cycle is completed, and reads it back: charged once, at 25.00. */
  async charged(id: number, cycle = 1): Promise<void> {
    const path = `/api/ScheduledOrders/${id}`;
    const completed = await until(async () => {
      const cycles = await this.ask<{ Cycle: number; State: string; DueUtc: string; OrderId: number }[]>(
        'GET',
        `${path}/Cycles`,
      );
      return cycles.find((one) => one.Cycle === cycle && one.State === 'Completed');
    });
    expect(await this.ask('GET', `/api/Orders/${completed.OrderId}`)).toMatchObject({ Total: 25, IsRecurring: true });
    expect(await this.ask('GET', path)).toMatchObject({ Id: id, Status: 'Active', Cycles: cycle });
    expect(this.gateway.ledger.capturesOf(id, completed.DueUtc)).toMatchObject([{ amount: '25.00' }]);
  }

  /** An order is created over REST, charged once, and read back. */
  async sells(): Promise<number> {
    const id = await this.create();
    await this.ask('POST', `/api/ScheduledOrders/${id}/Process`);
    await this.charged(id);
    return id;
  }

  /** What processes write when something is wrong. */
  complaints(): string[] {
    const lines = [this.api.output(), this.worker.output()].join('\n').split('\n');
    return lines.filter((line) => /WARN|ERROR|FATAL/.test(line));
  }

  private async furnish(): Promise<void> {
    const ApiKey1 = 'sk_test_operate';
    await this.ask('POST', '/api/PaymentIntegrations', { PaymentMethodType: 'GatewayOne', ApiKey1, TestMode: true });
    const address = { ShippingCity: 'Paris', ShippingCountry: 'FR', BillingCity: 'Lyon', BillingCountry: 'FR' };
    const customer = { Email: 'ada@mail.example', FirstName: 'Ada', ...address };
    this.customer = (await this.ask('POST', '/api/Customers', customer)).Id;
    this.product = (await this.ask('POST', '/api/Products', { Title: 'Coffee', Price: 12.5 })).Id;
  }

  private get env(): Readonly<Record<string, string>> {
    return this.reached.env ?? {};
  }
}
