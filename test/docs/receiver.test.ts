import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { freePort } from '#libs/platform';
import { TEST_ENCRYPTION_KEY, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { webhooksOf } from '../support/events/webhooks.js';
import { given as givenIn } from '../support/given.js';
import { machine } from '../support/machine.js';
import { until } from '../support/until.js';
import { createWorker, type TestWorker } from '../support/worker.js';

const OPEN = { OUTBOUND_ALLOWED_ADDRESSES: '127.0.0.0/8' };
const database = useDatabase();
const api = useApi(database, OPEN);
const given = givenIn(database);
let folder: string;
let worker: TestWorker;
let receiver: ChildProcess | null = null;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'receiver-'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  worker = createWorker(database, { ...OPEN, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });
});
afterAll(async () => {
  receiver?.kill('SIGKILL');
  await worker.end();
  rmSync(folder, { recursive: true });
});

/** The program of the quick start, on this port. */
function startReceiver(port: number, secret: string): { output: () => string; child: ChildProcess } {
  const [, program] = /^```js\n([\s\S]*?)^```$/m.exec(readFileSync('docs/quick-start.md', 'utf8'))!;
  expect(program).toContain('server.listen(4000, ');
  writeFileSync(join(folder, 'receiver.mjs'), program!.replace('4000', String(port)));
  const child = spawn(process.execPath, [join(folder, 'receiver.mjs')], {
    env: { ...machine(), SECRET: secret },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
  return { output: () => output, child };
}

/** An order that is due now. */
async function givenDueOrder({ siteId, tokenAuth: token }: { siteId: number; tokenAuth: string }): Promise<number> {
  const post = async (path: string, body?: object) => {
    const answer = await api.request('POST', path, { token, body });
    expect([path, answer.status < 300 ? '' : answer.body]).toEqual([path, '']);
    return answer.body as { Id: number };
  };
  const card = { PaymentMethodType: 'GatewayOne', PaymentMethodCustomerId: 'cus_1', PaymentMethodId: 'pm_1' };
  await post('/api/PaymentIntegrations', { PaymentMethodType: 'GatewayOne', ApiKey1: 'sandbox', TestMode: true });
  const { Id } = await post('/api/ScheduledOrders', {
    CustomerId: await given.customer(siteId),
    FrequencyType: 'Months',
    Frequency: 1,
    ...card,
    ScheduledOrderItems: [{ ProductId: await given.product(siteId) }],
  });
  await post(`/api/ScheduledOrders/${Id}/Process`);
  return Id;
}

/** Sends a body in two pieces, the first of which ends within a character. @returns the status of the answer. */
function sendSplit(url: string, headers: Record<string, string>, body: string, at: string): Promise<number> {
  const bytes = Buffer.from(body);
  const middle = bytes.indexOf(at) + 1;
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: 'POST', headers }, (reply) => {
      reply.resume();
      resolve(reply.statusCode!);
    });
    request.on('error', reject);
    request.write(bytes.subarray(0, middle));
    request.end(bytes.subarray(middle));
  });
}

it('the receiver of the quick start prints a charged order, and refuses a message that is not ours', async () => {
  const merchant = await given.merchant();
  const { tokenAuth: token } = merchant;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const hook = await webhooksOf(database).endpoint(api, token, url, { EventTypes: ['scheduled_order.processed'] });
  const { body } = await api.request('GET', `/api/WebhookEndpoint/${hook}/Secret`, { token });
  const started = startReceiver(port, body.Secret as string);
  receiver = started.child;
  const { output } = started;

  const bad = () => fetch(url, { method: 'POST', body: '{}' }).catch(() => null);
  await until(async () => (await bad())?.status === 400 || output() !== '');
  expect(output()).toBe('');

  const id = await givenDueOrder(merchant);
  await worker.drain();
  const [order] = await database.query<{ id: string }>(`SELECT id FROM orders WHERE scheduled_order_id = $1`, [id]);
  const [cycle] = await database.query<{ amount: string }>(
    `SELECT amount FROM processing_cycles WHERE scheduled_order_id = $1`,
    [id],
  );
  await until(() => output() !== '');
  expect(output()).toBe(`Scheduled order ${id} is paid: Order ${order!.id}, ${cycle!.amount} USD\n`);

  // Any text arrives whole, also in pieces.
  const text = JSON.stringify({ data: { ScheduledOrderId: 'Zoë' } });
  const [messageId, now] = ['evt_1', new Date()];
  const headers = {
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(body.Secret as string).sign(messageId, now, text),
  };
  expect(await sendSplit(url, headers, text, 'ë')).toBe(200);
  await until(() => output().includes('Scheduled order Zoë is paid'));
  expect(started.child.exitCode).toBeNull();
});
