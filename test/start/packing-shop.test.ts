import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newWebhookSecret } from '#libs/events';
import { AddressRule, OutboundClient } from '#libs/platform';
import { type ShopReceiver, shopReceiver } from '#libs/shops';
import { ORDERS_PATH, PackingShop } from '../../apps/cli/src/demo/packing-shop.js';
import { requestAs } from '../support/api/request-as.js';
import { givenLine, givenProbe, givenPush, givenShop } from '../support/shops/index.js';

const SECRET = newWebhookSecret();
const folder = mkdtempSync(join(tmpdir(), 'packing-'));
const file = join(folder, 'data/packed-orders.jsonl');
let shop: PackingShop;

beforeAll(async () => {
  shop = await PackingShop.open(file, SECRET);
});
afterAll(() => {
  shop.close();
  rmSync(folder, { recursive: true });
});

/** As the worker has it. */
function receiver(secret = SECRET): ShopReceiver {
  const outbound = new OutboundClient(new AddressRule(['127.0.0.0/8']));
  return shopReceiver(outbound, givenShop('Http', shop.url, { path: ORDERS_PATH, secrets: [secret] }));
}
const page = async () => (await fetch(shop.pageUrl)).text();

it('passes Verify, packs each order once, and shows it, whatever it is called', async () => {
  const { findings } = await receiver().verify(givenProbe());
  expect(findings.filter(({ agrees }) => !agrees)).toEqual([]);
  expect(await page()).toContain('Nothing has arrived yet.');
  const push = givenPush({ lines: [givenLine({ name: '<b>Coffee & "Tea"</b>' })] });
  expect(await receiver().lookUp(push)).toEqual({ kind: 'found', orders: [] });
  const made = await Promise.all([1, 2, 3].map(() => receiver().create(push, { pushAnyway: false })));
  expect(made.map((one) => one.kind === 'created' && one.order.id)).toEqual(['1', '1', '1']);
  expect(await receiver().lookUp(push)).toMatchObject({ orders: [{ id: '1', number: 'N1', total: '37.85' }] });
  const shown = await page();
  expect(shown).toContain('<li>3 × &#60;b&#62;Coffee &#38; &#34;Tea&#34;&#60;/b&#62;</li>');
  expect(shown).toContain('N1 for Ada Lovelace');
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(1);
});

it('still has them when it is opened again', async () => {
  shop.close();
  shop = await PackingShop.open(file, SECRET);
  expect(await page()).toContain('N1 for Ada Lovelace');
  const next = await receiver().create(givenPush({ scheduledOrderId: 13 }), { pushAnyway: false });
  expect(next).toMatchObject({ kind: 'created', order: { id: '2' } });
});

it('takes nothing that is not signed, and shows nothing under a foreign name', async () => {
  expect(await receiver(newWebhookSecret()).create(givenPush(), { pushAnyway: false })).toMatchObject({
    kind: 'shopRefused',
  });
  expect((await fetch(`${shop.url}${ORDERS_PATH}`, { method: 'POST', body: '{}' })).status).toBe(401);
  expect((await requestAs('evil.example', shop.pageUrl)).status).toBe(421);
  expect((await fetch(`${shop.url}/`)).status).toBe(404);
});
