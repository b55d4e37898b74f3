import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AddressRule, freePort, OutboundClient } from '#libs/platform';
import { type Push, type ShopReceiver, shopReceiver } from '#libs/shops';
import { machine } from '../support/machine.js';
import { givenProbe, givenPush, givenShop } from '../support/shops/index.js';
import { until } from '../support/until.js';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
let folder: string;
let port: number;
let program: ChildProcess | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'any-shop-'));
  port = await freePort();
});
afterAll(async () => {
  await kill();
  rmSync(folder, { recursive: true });
});

async function start(): Promise<void> {
  const env = { ...machine(), SECRET, PORT: String(port), FILE: join(folder, 'orders.jsonl') };
  program = spawn(process.execPath, ['integrations/any-shop/receiver.mjs'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(program.stdout!, 'data');
}

async function kill(): Promise<void> {
  if (program === undefined || program.exitCode !== null || program.signalCode !== null) return;
  program.kill('SIGKILL');
  await once(program, 'exit');
}

const receiver = (secret = SECRET): ShopReceiver => {
  const outbound = new OutboundClient(new AddressRule(['127.0.0.0/8']));
  return shopReceiver(outbound, givenShop('Http', `http://127.0.0.1:${port}`, { secrets: [secret] }));
};
const OPTIONS = { taxDifference: 'Refuse', pushAnyway: false } as const;
const create = (push: Push) => receiver().create(push, OPTIONS);

it('the receiver makes each order once, also after it was killed', async () => {
  await start();
  const pushes = Array.from({ length: 20 }, (_, at) => givenPush({ scheduledOrderId: at + 1 }));
  const first = await Promise.all(pushes.flatMap((push) => [create(push), create(push), create(push)]));
  expect(first.filter(({ kind }) => kind !== 'created')).toEqual([]);
  await kill();
  await start();
  for (const push of pushes) {
    const created = await until(async () => {
      const outcome = await create(push);
      return outcome.kind === 'created' && outcome;
    });
    expect(await receiver().settle(push, created.order, OPTIONS)).toMatchObject({ isPushed: true });
  }
  const lines = readFileSync(join(folder, 'orders.jsonl'), 'utf8').trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { Name: string }).Name).sort()).toEqual(
    pushes.map(({ name }) => name).sort(),
  );
});

it('it keeps no more of what anybody sends than an order has, and outlives who hangs up', async () => {
  const post = { method: 'POST', body: 'x'.repeat(2_000_000) };
  expect((await fetch(`http://127.0.0.1:${port}/scheduled-orders/orders`, post)).status).toBe(413);
  const socket = connect(port, '127.0.0.1', () => {
    socket.end('POST / HTTP/1.1\r\nhost: shop\r\ncontent-length: 9\r\n\r\nhalf');
  });
  await new Promise((resolve) => socket.resume().once('close', resolve).on('error', resolve));
  expect(await receiver().lookUp(givenPush())).toMatchObject({ kind: 'found' });
});

it('it answers nobody else, and passes Verify', async () => {
  const { findings } = await receiver().verify(givenProbe());
  expect(findings.filter(({ agrees }) => !agrees)).toEqual([]);
  const stranger = receiver(`whsec_${randomBytes(32).toString('base64')}`);
  expect(await stranger.lookUp(givenPush())).toMatchObject({ kind: 'shopRefused' });
});
