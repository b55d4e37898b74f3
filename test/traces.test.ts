import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '#libs/platform';
import { itInAllCases } from './support/all-cases.js';
import { requestTo } from './support/api.js';
import { endApis, startApi } from './support/api-process.js';
import { measured } from './support/bounds.js';
import { useDatabase } from './support/database.js';
import { StripeStandIn } from './support/gateways/index.js';
import { assertInvariants } from './support/invariants.js';
import { OtlpCollector, type ReceivedSpan } from './support/otlp/collector.js';
import { until } from './support/until.js';
import { ENCRYPTION_KEY, type GivenShop, givenShop, startWorker, stopWorkers } from './support/worker.js';

const SECRET_KEY = 'sk_test_traces_9f8e7d6c5b';
const HEADER_SECRET = 'collector-secret-5b1d';
const NOBODY = 'http://127.0.0.1:1';
const SDK = 'libs/platform/src/tracing/sdk/provider.js';

describe('Traces', () => {
  const database = useDatabase();
  let collector: OtlpCollector;
  let gateway: StripeStandIn;

  beforeAll(async () => {
    [collector, gateway] = [await OtlpCollector.start(), await StripeStandIn.start()];
  });
  afterEach(async () => {
    endApis();
    await stopWorkers();
    await assertInvariants(database, gateway.ledger);
  });
  afterAll(async () => {
    await collector.stop();
    await gateway.stop();
  });

  const env = (endpoint: string | undefined) => ({
    ...(endpoint === undefined ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }),
    OTEL_EXPORTER_OTLP_HEADERS: `x-collector-key=${HEADER_SECRET}`,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    GATEWAY_ONE_URL: gateway.url,
    GATEWAY_TWO_URL: NOBODY,
    LOG_FORMAT: 'json',
  });
  /** What is due, by a worker that ends by itself. @returns what it logged. */
  async function process(endpoint: string | undefined, more: Record<string, string> = {}): Promise<string> {
    const worker = await startWorker(database, { ...env(endpoint), ...more }, ['--once']);
    expect([await worker.exited, worker.output()]).toEqual([0, expect.any(String)]);
    return worker.output();
  }
  const rootOf = (scheduledOrderId: number): ReceivedSpan => {
    const roots = collector.spans.filter(({ name, attributes }) => {
      return name === 'process order' && attributes['scheduled_order.id'] === scheduledOrderId;
    });
    expect(roots.map(({ parentId }) => parentId)).toEqual(['']);
    return roots[0]!;
  };
  const named = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
    const found = spans.filter((span) => span.name.startsWith(name));
    expect(found.map((span) => span.name)).toEqual([expect.stringContaining(name)]);
    return found[0]!;
  };
  const statesOf = async (ids: readonly number[]): Promise<string[]> => {
    const rows = await database.query<{ state: string }>(
      `SELECT state FROM processing_cycles WHERE scheduled_order_id = ANY($1::bigint[]) ORDER BY scheduled_order_id`,
      [ids],
    );
    return rows.map(({ state }) => state);
  };

  it('follow each order from its claim to its record, also in a batch, and show what failed', async () => {
    const shop = await givenShop(database, { apiKey1: SECRET_KEY });
    const unlucky = await givenShop(database, {
      type: 'GatewayTwo',
      apiAccount: 'login5A',
      apiKey1: 'key_of_two_77aa',
    });
    const ids = await shop.dueOrders(4);
    const failing = await unlucky.dueOrder();
    const log = await process(collector.url);
    expect(await statesOf([...ids, failing])).toEqual([...ids.map(() => 'Completed'), 'Retrying']);

    const roots = ids.map(rootOf);
    expect(new Set(roots.map(({ traceId }) => traceId)).size).toBe(4);
    for (const root of roots) expectOrder(root, shop);
    // The statements of a step are in one trace; in the others the step leads there.
    for (const root of roots)
      for (const step of collector.childrenOf(root).filter(({ name }) => name !== 'charge'))
        expect(withStatements(step)).not.toEqual([]);
    const claims = [...roots, rootOf(failing)].map((root) => named(collector.childrenOf(root), 'claim'));
    expect(claims.filter(({ links }) => links.length === 0)).toHaveLength(1);
    expect(new Set(claims.flatMap(({ links }) => links.map(({ spanId }) => spanId))).size).toBe(1);
    expect(claims.map(({ attributes }) => attributes['batch.cycles'])).toEqual([5, 5, 5, 5, 5]);

    const failed = rootOf(failing);
    expect(failed.isError).toBe(true);
    expect(failed.attributes).toMatchObject({
      'cycle.outcome': 'Retrying',
      'cycle.failure': 'GatewayCommunicationFailed',
      'error.type': 'GatewayCommunicationFailed',
    });
    const call = named(collector.childrenOf(named(collector.childrenOf(failed), 'charge')), 'createTransactionRequest');
    expect([call.isError, call.attributes['error.type'], call.kind]).toEqual([true, 'NotSent', 3]);
    expect(call.events[0]!.attributes['exception.stacktrace']).toContain('    at ');
    expect(log).not.toContain('Traces');
  });

  /** The spans below a step, or below the step that it links to. */
  function withStatements(step: ReceivedSpan): ReceivedSpan[] {
    const [link] = step.links;
    const holder = link ? collector.spans.find(({ spanId }) => spanId === link.spanId)! : step;
    expect(holder.name).toBe(step.name);
    return collector.childrenOf(holder).filter(({ attributes }) => attributes['db.system.name'] === 'postgresql');
  }

  function expectOrder(root: ReceivedSpan, shop: GivenShop): void {
    expect(root.attributes).toMatchObject({
      'site.id': shop.siteId,
      'cycle.number': 1,
      'cycle.attempt': 1,
      'cycle.outcome': 'completed',
    });
    expect(root.resource).toMatchObject({ 'service.name': 'scheduled-orders-worker' });
    const steps = collector.childrenOf(root);
    const names = steps.map(({ name }) => name);
    // The first charge of an integration goes alone: others are prepared once more after it.
    expect(names.filter((name, at) => name !== names[at - 1])).toEqual(['claim', 'prepare', 'charge', 'record']);
    for (const { startNs, endNs } of steps) expect(startNs >= root.startNs && endNs >= startNs).toBe(true);
    const charge = named(steps, 'charge');
    expect(charge.attributes).toMatchObject({ 'charge.outcome': 'completed' });
    const call = named(collector.childrenOf(charge), 'POST /v1/payment_intents');
    expect(call.attributes).toMatchObject({
      'http.request.method': 'POST',
      'server.address': '127.0.0.1',
      'http.response.status_code': 200,
      'gateway.operation': 'POST /v1/payment_intents',
    });
    expect([call.kind, call.isError]).toEqual([3, false]);
  }

  it('have one trace for a request with its statements, which continues the one of the caller', async () => {
    const shop = await givenShop(database);
    const api = startApi({ ...env(collector.url), DATABASE_URL: database.url, ENCRYPTION_KEY, LOG_LEVEL: 'debug' });
    const ask = requestTo(await api.url());
    const [traceId, parentId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
    const headers = { traceparent: `00-${traceId}-${parentId}-01`, 'x-request-id': 'traced-1' };
    const body = { FirstName: 'Grace', Email: 'grace.hopper@mail.example', SiteId: shop.siteId };
    const made = await ask('POST', '/api/Customers', { token: shop.tokenAuth, body, headers });
    expect(made.status).toBe(201);
    expect((await ask('GET', `/api/Products?SiteId=${shop.siteId}`, { token: shop.tokenAuth })).status).toBe(200);
    await database.query(`ALTER TABLE tax_rates RENAME TO tax_rates_away`);
    const broken = await ask('GET', '/api/TaxRates', {
      token: shop.tokenAuth,
      headers: { 'x-request-id': 'broken-1' },
    });
    await database.query(`ALTER TABLE tax_rates_away RENAME TO tax_rates`);
    expect(broken.status).toBe(500);
    api.child.kill('SIGTERM');
    expect(await api.exited).toBe(0);

    const [post] = collector.trace(traceId);
    expect([post!.name, post!.parentId, post!.kind]).toEqual(['POST /api/Customers', parentId, 2]);
    expect(post!.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/Customers',
      'http.response.status_code': 201,
      'request.id': 'traced-1',
    });
    const statements = collector.childrenOf(post!).map(({ name }) => name);
    expect(statements).toEqual(expect.arrayContaining(['COMMIT', expect.stringMatching(/^INSERT customers/)]));
    expect(lineOf(api.output(), 'traced-1')).toMatchObject({
      msg: 'request',
      trace_id: traceId,
      span_id: post!.spanId,
    });

    const list = collector.spans.find(({ name }) => name === 'GET /api/Products')!;
    expect([list.parentId, list.attributes['site.id']]).toEqual(['', shop.siteId]);
    expect(collector.childrenOf(list).map(({ name }) => name)).toContainEqual(expect.stringContaining('products'));

    const failed = collector.spans.find(({ attributes }) => attributes['request.id'] === 'broken-1')!;
    expect(failed.isError).toBe(true);
    expect(failed.attributes).toMatchObject({ 'http.response.status_code': 500, 'db.response.status_code': '42P01' });
    expect(collector.childrenOf(failed).filter(({ isError }) => isError)).toHaveLength(1);
    expect(lineOf(api.output(), 'broken-1')).toMatchObject({ trace_id: failed.traceId });
  });

  it('have no secrets and no customer data, and reach the collector as it asks', () => {
    const sent = Buffer.concat(collector.bodies).toString('latin1');
    expect(sent).toContain('process order');
    expect(sent).toContain('SELECT');
    const secrets = [SECRET_KEY, HEADER_SECRET, 'key_of_two_77aa', 'login5A', ENCRYPTION_KEY, 'pm_card', 'cus_1'];
    const personal = ['grace.hopper', 'Grace', '@mail.example', '@shop.example', 'Ada', 'Paris', 'Lyon', 'Coffee'];
    for (const text of [...secrets, ...personal, database.url, 'Basic '])
      expect([text, sent.includes(text)]).toEqual([text, false]);
    for (const { url, headers } of collector.requests)
      expect([url, headers['x-collector-key']]).toEqual(['POST /v1/traces', HEADER_SECRET]);
  });

  itInAllCases('are not even loaded while they are off', async () => {
    const loaded = async (endpoint: string | undefined, more: Record<string, string> = {}): Promise<boolean> => {
      const folder = mkdtempSync(join(tmpdir(), 'traces-'));
      try {
        await process(endpoint, { NODE_V8_COVERAGE: folder, ...more });
        const reports = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
        expect(reports.join()).toContain('apps/worker/src/main.js');
        return reports.join().includes(SDK);
      } finally {
        rmSync(folder, { recursive: true });
      }
    };
    // libs/platform/src/tracing/start.test.ts shows what switches them off besides.
    const disabled = await loaded(collector.url, { OTEL_SDK_DISABLED: 'true' });
    expect([await loaded(undefined), await loaded(collector.url), disabled]).toEqual([false, true, false]);
  });

  itInAllCases('hold up nothing when their collector is gone or never answers', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const shop = await givenShop(database, { apiKey1: SECRET_KEY });
    const silentUrl = `http://127.0.0.1:${port}`;
    const api = startApi({ ...env(silentUrl), DATABASE_URL: database.url, ENCRYPTION_KEY });
    const worker = await startWorker(database, env(NOBODY));
    const ids = await shop.dueOrders(20);
    await until(async () => (await statesOf(ids)).filter((state) => state === 'Completed').length === 20);
    const ask = requestTo(await api.url());
    expect((await ask('GET', `/api/Products?SiteId=${shop.siteId}`, { token: shop.tokenAuth })).status).toBe(200);
    const before = performance.now();
    worker.kill('SIGTERM');
    api.child.kill('SIGTERM');
    expect(await Promise.all([worker.exited, api.exited])).toEqual([0, 0]);
    // Two seconds for the last traces; without that bound ten.
    expect(performance.now() - before).toBeLessThan(measured(9_000));
    expectOneLine(worker.output(), NOBODY);
    expectOneLine(api.output(), silentUrl);
    silent.close();
  });

  function expectOneLine(output: string, endpoint: string): void {
    const lines = output.split('\n').filter((line) => /traces/i.test(line));
    for (const line of lines) expect(line).toMatch(new RegExp(`"level":"warn".*${endpoint}`));
    // On a busy machine the last ones may take too long besides.
    const last = lines.filter((line) => line.includes('The last traces were not sent'));
    expect([lines.length > 0, last.length < 2, lines.length - last.length < 2]).toEqual([true, true, true]);
  }

  it.each([
    ['127.0.0.1:4318', '"127.0.0.1:4318" must be an http:// or https:// URL such as http://127.0.0.1:4318.', undefined],
    [
      'http://me:hidden77@127.0.0.1:4318',
      '"http://…@127.0.0.1:4318" must have no user name and no password: give them in OTEL_EXPORTER_OTLP_HEADERS.',
      undefined,
    ],
    [
      'http://127.0.0.1:4318?a=b',
      '"http://127.0.0.1:4318?a=b" must have no query: its path gets /v1/traces.',
      undefined,
    ],
    ['http://127.0.0.1:4317', 'OTEL_EXPORTER_OTLP_PROTOCOL "grpc" is not possible: set it to http/protobuf', 'grpc'],
  ])('are refused at the start for %s', (endpoint, sentence, protocol) => {
    const settings = {
      ...{ DATABASE_URL: database.url, ENCRYPTION_KEY },
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: protocol },
    };
    expect(() => loadSettings(settings)).toThrow(sentence);
  });
});

const lineOf = (output: string, requestId: string): unknown =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes('"trace_id"'))
    .map((line) => JSON.parse(line) as { requestId?: string })
    .find((line) => line.requestId === requestId);
