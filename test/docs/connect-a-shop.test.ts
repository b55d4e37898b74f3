import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { introduceDeployment } from '#libs/ledger';
import { freePort } from '#libs/platform';
import { TEST_ENCRYPTION_KEY, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { blocksOf } from '../support/docs/blocks.js';
import { Shell } from '../support/docs/shell.js';
import { given as givenIn } from '../support/given.js';
import { machine } from '../support/machine.js';
import { until } from '../support/until.js';
import { where } from '../support/where.js';

const run = promisify(execFile);
const database = useDatabase();
const api = useApi(database, { OUTBOUND_ALLOWED_ADDRESSES: '127.0.0.0/8' });
const given = givenIn(database);
const page = readFileSync('docs/connect-a-shop.md', 'utf8');

const [NODE, NODE_RECEIVER] = blocksOf(page, 'js');
const [PHP, PHP_RECEIVER] = blocksOf(page, 'php');
const [PYTHON, PYTHON_RECEIVER] = blocksOf(page, 'python');

let folder: string;
let receiver: ChildProcess | undefined;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'connect-'));
});
afterEach(() => receiver?.kill('SIGKILL'));
afterAll(() => rmSync(folder, { recursive: true }));

async function expectOneOrder(program: string, file: string, text: string): Promise<void> {
  const { userId, siteId } = await given.merchant();
  const { value } = await given.apiKey(userId, [siteId]);
  writeFileSync(join(folder, file), text);
  const env = { ...machine(), HOME: process.env.HOME, API: api.url, API_KEY: value };
  const shop = () => run(program, [file], { cwd: folder, env });
  const first = (await shop()).stdout;
  expect(first).toMatch(/^Scheduled order \d+: 2500 cents on \d{4}-\d\d-\d\dT[\d:.]+Z\n$/);
  expect((await shop()).stdout).toBe(first);
  const [{ count }] = (await database.query(
    `SELECT count(*)::int FROM scheduled_orders JOIN customers c ON c.id = customer_id WHERE c.site_id = $1`,
    [siteId],
  )) as [{ count: number }];
  expect(count).toBe(1);
  // What is refused, it says in a sentence.
  writeFileSync(join(folder, file), text.replace(/(?<=['"])Months(?=['"])/, 'Fortnights'));
  await expect(shop()).rejects.toMatchObject({ stdout: '', stderr: expect.stringMatching(/ScheduledOrders: /) });
}

it('the program for Node.js makes one order, however often it runs', () =>
  expectOneOrder(process.execPath, 'shop.mjs', NODE!));
where('php')('so does that for PHP', () => expectOneOrder('php', 'shop.php', PHP!));
where('python3')('so does that for Python', () => expectOneOrder('python3', 'shop.py', PYTHON!));

const SECRET = `whsec_${Buffer.from('the secret of an endpoint, 32 by').toString('base64')}`;

async function expectVerifies(program: string, args: (port: number) => string[], file: string, text: string) {
  const port = await freePort();
  writeFileSync(join(folder, file), text.replace('4000', String(port)));
  const env = { ...machine(), HOME: process.env.HOME, SECRET };
  const child = spawn(program, args(port), { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  receiver = child;
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));

  const body = JSON.stringify({ type: 'scheduled_order.processed', data: { ScheduledOrderId: 'Zoë' } });
  const send = (secret: string, sent: Date, signatures = (own: string) => own) =>
    fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body,
      headers: {
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(Math.floor(sent.getTime() / 1_000)),
        'webhook-signature': signatures(new Webhook(secret).sign('evt_1', sent, body)),
      },
    }).then(
      ({ status }) => status,
      () => null,
    );
  const now = new Date();
  await until(async () => (await send(SECRET, now)) !== null);
  const other = `whsec_${Buffer.from('another secret').toString('base64')}`;
  expect(await send(SECRET, now)).toBe(204);
  expect(await send(SECRET, now, (own) => `v1,AAAA ${own}`)).toBe(204);
  expect(await send(other, now)).toBe(400);
  expect(await send(SECRET, new Date(now.getTime() - 400_000))).toBe(400);
  expect(await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body }).then(({ status }) => status)).toBe(400);
  await until(() => /scheduled_order\.processed of scheduled order Zo/.test(output));
}

where('php')('the receiver for PHP takes what is signed with its secret, and nothing else', () =>
  expectVerifies('php', (port) => ['-S', `127.0.0.1:${port}`, 'receiver.php'], 'receiver.php', PHP_RECEIVER!),
);
where('python3')('so does that for Python', () =>
  expectVerifies('python3', () => ['receiver.py'], 'receiver.py', PYTHON_RECEIVER!),
);

it('the receiver of orders is the one of integrations/any-shop, which is connected as it is shown', async () => {
  expect(NODE_RECEIVER).toBe(readFileSync('integrations/any-shop/receiver.mjs', 'utf8'));
  await introduceDeployment(database.pool);
  const { siteId, tokenAuth } = await given.merchant();
  const port = await freePort();
  const [, connect, verify] = blocksOf(page, 'sh').map((block) =>
    block.replace('4001', String(port)).replaceAll('/Site/1', `/Site/${siteId}`),
  );
  const shell = new Shell({ API: api.url, TOKEN: tokenAuth });
  const quickStart = readFileSync('docs/quick-start.md', 'utf8');
  const definitions = ['field', 'call'].map((name) => new RegExp(`^${name}\\(\\) \\{.*\\}$`, 'm').exec(quickStart)![0]);
  await shell.run(definitions.join('\n'));
  await shell.run(connect!);
  const { body } = await api.request('GET', `/api/Site/${siteId}/Shop/Secret`, { token: tokenAuth });
  writeFileSync(join(folder, 'orders.mjs'), NODE_RECEIVER!);
  receiver = spawn(process.execPath, ['orders.mjs'], {
    cwd: folder,
    env: { ...machine(), SECRET: body.Secret as string, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(receiver.stdout!, 'data');
  expect(await shell.run(verify!)).toEqual(['Ready', 'On']);
  shell.end();
});

it('the key is made as it is shown', async () => {
  const userId = await given.user({ email: 'demo@shop.example' });
  const siteId = await given.site(userId);
  const shell = new Shell({ DATABASE_URL: database.url, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });
  const [block] = blocksOf(page, 'sh');
  expect(block).toContain('--site 1 ');
  await shell.run(block!.replace('--site 1 ', `--site ${siteId} `));
  const [key] = await shell.run('echo $API_KEY');
  shell.end();
  const { status } = await api.request('GET', '/api/Products', { token: key });
  expect(status).toBe(200);
});
