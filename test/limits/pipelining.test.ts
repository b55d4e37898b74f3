import { connect, type Socket } from 'node:net';
import { itInAllCases } from '../support/all-cases.js';
import { requestTo } from '../support/api.js';
import { endApis, startApi } from '../support/api-process.js';
import { BOUNDS, heapOf, measured } from '../support/bounds.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { peakMb } from '../support/process-watch.js';
import { until } from '../support/until.js';

const database = useDatabase();
const given = givenIn(database);
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  endApis();
});

const CONNECTIONS = 3;
const REQUESTS = 20_000;

/** A connection that writes all of `text` at once and counts the answers that come back. */
async function pipeline(url: string, text: string): Promise<{ answers: Map<string, number> }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  const counted = { answers: new Map<string, number>() };
  let rest = '';
  socket.setEncoding('latin1').on('data', (piece: string) => {
    const lines = (rest + piece).split('\r\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const status = /HTTP\/1\.1 (\d{3}) /.exec(line)?.[1];
      if (status !== undefined) counted.answers.set(status, (counted.answers.get(status) ?? 0) + 1);
    }
  });
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(text);
  return counted;
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const total = ({ answers }: { answers: Map<string, number> }) => [...answers.values()].reduce((a, b) => a + b, 0);

itInAllCases(
  'Pipelining without a token: every request is answered and health within a second, in little memory',
  async () => {
    const api = startApi({ DATABASE_URL: database.url, ...heapOf(192) });
    const address = await api.url();
    await requestTo(address)('GET', '/health/live');
    const text = get('/api/Customers').repeat(REQUESTS);
    const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => pipeline(address, text)));
    const waits: number[] = [];
    await until(async () => {
      const begun = performance.now();
      const { status } = await requestTo(address)('GET', '/health/live');
      waits.push(performance.now() - begun);
      return status !== 200 || connections.every((connection) => total(connection) === REQUESTS);
    });
    // What arrives while all places are taken is 503; nothing is left without an answer.
    for (const { answers } of connections) expect(['401', '503']).toEqual(expect.arrayContaining([...answers.keys()]));
    expect(connections.map(total)).toEqual(Array(CONNECTIONS).fill(REQUESTS));
    expect(Math.max(...waits)).toBeLessThan(BOUNDS.healthMs);
    expect(peakMb(api.child.pid!)).toBeLessThan(measured(400));
  },
);

it('Beyond MAX_REQUESTS_IN_FLIGHT the answer is 503 with Retry-After, except for health; a connection that ends makes room', async () => {
  const api = startApi({ DATABASE_URL: database.url, MAX_REQUESTS_IN_FLIGHT: '10', RATE_LIMIT_PER_SECOND: '0' });
  const address = await api.url();
  const { tokenAuth: token, siteId } = await given.merchant();
  const id = await given.customer(siteId);
  const runner = database.dataSource.createQueryRunner();
  await runner.startTransaction();
  await runner.query('SELECT 1 FROM customers WHERE id = $1 FOR UPDATE', [id]);
  const read = () => requestTo(address)('GET', `/api/Customers/${id}`, { token });
  try {
    const body = '{"FirstName":"Ada"}';
    const headers = `Host: x\r\nAuthorization: Basic ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    await pipeline(address, `PUT /api/Customers/${id} HTTP/1.1\r\n${headers}\r\n${body}`.repeat(30));
    const refused = await until(async () => {
      const answered = await read();
      return answered.status === 503 && answered;
    });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(refused.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(refused.body).toEqual({
      type: '/docs/errors#service-unavailable',
      title: 'Service Unavailable',
      status: 503,
      detail: 'The service is working on the highest number of requests that it allows at once: repeat yours later.',
      instance: refused.headers.get('x-request-id'),
    });
    expect((await requestTo(address)('GET', '/health/live')).status).toBe(200);
    for (const socket of sockets.splice(0)) socket.destroy();
    await until(async () => (await read()).status === 200);
  } finally {
    await runner.commitTransaction();
    await runner.release();
  }
});

it('Large bodies that never arrive have a bound in bytes, which smaller requests do not wait for', async () => {
  const api = startApi({ DATABASE_URL: database.url });
  const address = await api.url();
  const { tokenAuth: token, siteId } = await given.merchant();
  const customerId = await given.customer(siteId);
  const put = (body: object) => requestTo(address)('PUT', `/api/Customers/${customerId}`, { token, body });
  const large = { Metadata: 'x'.repeat(100_000) };
  expect((await put(large)).status).toBe(400);
  const begun = `POST /api/Customers HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1048576\r\n\r\n{`;
  const bodies = await Promise.all(Array.from({ length: 40 }, () => pipeline(address, begun)));
  // No other body is there meanwhile, which would take the place of one of these, and leave it free.
  await until(() => bodies.filter(({ answers }) => answers.has('503')).length === 8);
  expect((await put(large)).status).toBe(503);
  expect((await put({ FirstName: 'Ada' })).status).toBe(200);
  for (const socket of sockets.splice(0)) socket.destroy();
  await until(async () => (await put(large)).status === 400);
});

it('Requests that wait behind others of their connection take no place from other connections', async () => {
  const api = startApi({ DATABASE_URL: database.url, MAX_REQUESTS_IN_FLIGHT: '30', RATE_LIMIT_PER_SECOND: '0' });
  const address = await api.url();
  const { tokenAuth: token, siteId } = await given.merchant();
  const [locked, free] = [await given.customer(siteId), await given.customer(siteId)];
  const runner = database.dataSource.createQueryRunner();
  await runner.startTransaction();
  await runner.query('SELECT 1 FROM customers WHERE id = $1 FOR UPDATE', [locked]);
  try {
    const body = '{"FirstName":"Ada"}';
    const headers = `Host: x\r\nAuthorization: Basic ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    const put = `PUT /api/Customers/${locked} HTTP/1.1\r\n${headers}\r\n${body}`;
    const { answers } = await pipeline(address, put.repeat(60));
    await until(async () => {
      const [row] = await database.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return row!.count >= 10;
    });
    expect((await requestTo(address)('GET', `/api/Customers/${free}`, { token })).status).toBe(200);
    expect(answers).toEqual(new Map());
  } finally {
    await runner.commitTransaction();
    await runner.release();
  }
});
