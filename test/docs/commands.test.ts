import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { DEMO_EMAIL } from '../../apps/cli/src/demo/demo-account.js';
import { describeInAllCases, itInAllCases } from '../support/all-cases.js';
import { TEST_ENCRYPTION_KEY, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { blocksOf } from '../support/docs/blocks.js';
import { Shell } from '../support/docs/shell.js';
import { given as givenIn } from '../support/given.js';
import { makeDemo } from '../support/shops/demo.js';
import type { TestWorker } from '../support/worker.js';

const database = useDatabase();
const OPEN = { OUTBOUND_ALLOWED_ADDRESSES: '127.0.0.0/8' };
const api = useApi(database, OPEN);
const given = givenIn(database);
let worker: TestWorker;
let shell: Shell;

/** What the quick start defines for all examples. */
const definitions = (name: string) =>
  new RegExp(`^${name}\\(\\) \\{.*\\}$`, 'm').exec(readFileSync('docs/quick-start.md', 'utf8'))![0];

/** The demo of `npm start`, and what a reader has in his terminal after the tour. */
beforeAll(async () => {
  worker = await makeDemo(database, api);
  const body = { Email: DEMO_EMAIL, Password: 'demo-password', AccessScope: 'Merchant' };
  const { TokenAuth } = (await api.request('POST', '/api/AccessTokens/Login', { body })).body as { TokenAuth: string };
  const [{ id, customer, product }] = (await database.query(
    `SELECT o.id, o.customer_id AS customer, (SELECT product_id FROM scheduled_order_items i WHERE i.scheduled_order_id = o.id LIMIT 1) AS product
     FROM scheduled_orders o WHERE o.site_id = 1 AND o.status = 'Active' AND o.deleted_utc IS NULL ORDER BY o.id LIMIT 1`,
  )) as [{ id: string; customer: string; product: string }];
  shell = new Shell({
    API: api.url,
    TOKEN: TokenAuth,
    ORDER: id,
    CUSTOMER: customer,
    PRODUCT: product,
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
  });
  await shell.run([definitions('field'), definitions('call')].join('\n'));
});
afterAll(async () => {
  shell.end();
  await worker.end();
});

/** What the lines with a comment show: `# 403`, or the beginning of it: `# {"Id":7,…`. */
const commentsIn = (block: string) => [...block.matchAll(/ # (.+)$/gm)].map(([, words]) => words!.replace(/ …$/, ''));

/** @param heading limits it to this section of the page. */
async function expectShown(
  name: string,
  change: (block: string) => string = (block) => block,
  heading: string | null = null,
): Promise<string> {
  const page = readFileSync(name, 'utf8');
  const part = heading === null ? page : page.split(/^## /m).find((section) => section.startsWith(`${heading}\n`))!;
  const shown: string[] = [];
  for (const block of blocksOf(part, 'sh')) {
    const lines = await shell.run(change(block));
    shown.push(...lines);
    const text = lines.join('\n');
    for (const words of commentsIn(block))
      expect({ block, text }).toEqual({ block, text: expect.stringContaining(words) });
    const isRefused = commentsIn(block).some((words) => words.startsWith('"status":4'));
    if (!isRefused) expect({ block, text }).toEqual({ block, text: expect.not.stringContaining('was answered') });
  }
  return shown.join('\n');
}

const here = (block: string) => block.replaceAll('http://localhost:3000', api.url);

describeInAllCases('as it is shown, each command works:', () => {
  it('docs/authentication.md', async () => {
    const shown = await expectShown('docs/authentication.md', (block) =>
      here(block).replace('you@shop.example', `${DEMO_EMAIL} --site 1`),
    );
    expect(shown.match(/"Value":"SChedkEy/g)).toHaveLength(2);
    expect(shown).toContain('"CustomerId"');
  });

  it('docs/events.md', async () => {
    // A number that no event has is refused: the reader has the one of his last event.
    const shown = await expectShown('docs/events.md', (block) =>
      block.replace('After=1042', 'After=0').replace('WaitSeconds=25', 'WaitSeconds=0'),
    );
    expect(shown).toContain('"KeepEvents":true');
  });

  it('docs/insight.md, Forecast (its days moved to the future)', async () => {
    const day = (months: number) => new Date(Date.now() + months * 30 * 86_400_000).toISOString().slice(0, 10);
    const shown = await expectShown(
      'docs/insight.md',
      (block) => block.replace('2026-02-01', day(1)).replace('2026-05-01', day(2)),
      'Forecast',
    );
    expect(JSON.parse(shown)).toMatchObject({ Rows: expect.any(Array), LeftOut: expect.any(Array) });
  });

  it('docs/api.md', async () => {
    expect(await expectShown('docs/api.md')).toMatch(/^HTTP\/1\.1 200/);
  });

  it('docs/insight.md, Timeline', async () => {
    const [entry] = JSON.parse(await expectShown('docs/insight.md', undefined, 'Timeline')) as object[];
    expect(Object.keys(entry!)).toEqual(expect.arrayContaining(['AtUtc', 'Kind', 'Type', 'Sentence', 'By']));
  });

  it('docs/going-live.md', async () => {
    expect(await expectShown('docs/going-live.md')).toContain('"MayCharge":');
  });
});

itInAllCases('the request of docs/events.md makes an endpoint', async () => {
  const [request] = blocksOf(readFileSync('docs/events.md', 'utf8'), 'http');
  const [, method, path, body] = /^(\w+) (\S+)\n([\s\S]+)$/.exec(request!)!;
  const { siteId, tokenAuth } = await given.merchant();
  const made = await api.request(method!, path!, { token: tokenAuth, body });
  expect(made).toMatchObject({
    status: 201,
    body: { SiteId: siteId, EventTypes: ['scheduled_order.*', 'order.created'] },
  });
});

itInAllCases('the endpoint of docs/quick-start.md is made as it is shown', async () => {
  const [block] = blocksOf(readFileSync('docs/quick-start.md', 'utf8'), 'bash');
  const [making] = block!.split('\nSECRET=');
  await shell.run(making!);
  const [secret] = await shell.run('call GET /api/WebhookEndpoint/$HOOK/Secret | field Secret');
  expect(secret).toMatch(/^whsec_/);
});

itInAllCases('the page of docs/authentication.md pauses, goes on and skips', async () => {
  const { siteId, userId } = await given.merchant();
  const customer = await given.customer(siteId);
  const token = await given.token(userId, { customerId: customer });
  const merchant = await given.token(userId);
  const order = {
    CustomerId: customer,
    FrequencyType: 'Months',
    Frequency: 1,
    ScheduledOrderItems: [{ ProductId: await given.product(siteId) }],
  };
  const made = await api.request('POST', '/api/ScheduledOrders', { token: merchant, body: order });
  expect(made.status).toBe(201);
  const [program] = blocksOf(readFileSync('docs/authentication.md', 'utf8'), 'js');
  const variables = `const [API, customerToken, customerId] = ${JSON.stringify([api.url, token, customer])};\n`;
  const args = ['--input-type=module', '-e', variables + program!];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { body } = await api.request('GET', `/api/ScheduledOrders/${made.body.Id}`, { token: merchant });
  expect(stdout).toBe(`Next: ${body.NextOccurrenceUtc}\n`);
  expect(body).toMatchObject({ Status: 'Active' });
  expect(body.NextOccurrenceUtc > made.body.NextOccurrenceUtc).toBe(true);
});
