import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { itInAllCases } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import { givenShop, startWorker, stopWorkers } from '../support/worker.js';
import { readers } from './readers.js';

/**
 * The way of the first worker to the gateway: its first charge is answered 429, by somebody in between, when it is told
 * to.
 */
class BusyRoad {
  charges = 0;
  refuse: () => void = () => undefined;
  private readonly server: http.Server;

  constructor(private readonly target: string) {
    this.server = http.createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const isCharge = request.method === 'POST' && request.url === '/v1/payment_intents';
        if (isCharge && ++this.charges === 1) this.refuse = () => refuse(response);
        else this.forward(request, Buffer.concat(chunks), response);
      });
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private forward({ method, url, headers }: http.IncomingMessage, body: Buffer, response: http.ServerResponse): void {
    const forward = http.request(this.target + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    forward.end(body);
  }
}

function refuse(response: http.ServerResponse): void {
  const body = { error: { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests.' } };
  response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' }).end(JSON.stringify(body));
}

describe('A worker that stood still', () => {
  const database = useDatabase();
  const { cycleOf } = readers(database);
  afterAll(() => stopWorkers());

  itInAllCases('does not write what it was answered before, although it has claimed the cycle again', async () => {
    const gateway = await StripeStandIn.start();
    const road = new BusyRoad(gateway.url);
    const shop = await givenShop(database, { apiKey1: 'sk_test_fence' });
    const env = { CLAIM_LEASE: 'PT3S', TECHNICAL_RETRY_SCHEDULE: 'PT5S,PT5S,PT5S,PT5S' };
    const first = await startWorker(database, { ...env, GATEWAY_ONE_URL: await road.open() });
    const id = await shop.dueOrder();
    await until(() => road.charges === 1);
    first.kill('SIGSTOP');
    road.refuse(); // the 429 arrives while it stands still
    gateway.faults.next('loseAfter', { times: 2 });
    const second = await startWorker(database, { ...env, GATEWAY_ONE_URL: gateway.url });
    await until(async () => (await cycleOf(id)).state === 'Unknown');
    expect(gateway.ledger.capturesOf(id)).toHaveLength(1);
    second.kill('SIGKILL');
    await second.exited;
    gateway.faults.none();
    await until(async () => (await cycleOf(id)).next_attempt_utc! <= new Date());
    first.kill('SIGCONT');
    await until(async () => ['Completed', 'Failed'].includes((await cycleOf(id)).state));
    expect(await cycleOf(id)).toMatchObject({ state: 'Completed', attempt: '1' });
    await assertInvariants(database, gateway.ledger);
    road.close();
    await stopWorkers();
    await gateway.stop();
  });
});
