import { setTimeout as pause } from 'node:timers/promises';
import { itInAllCases } from '../support/all-cases.js';
import { requestTo } from '../support/api.js';
import { type ApiProcess, endApis, startApi } from '../support/api-process.js';
import { BOUNDS, heapOf, measured } from '../support/bounds.js';
import { useDatabase } from '../support/database.js';
import { expectWithinBounds, ProcessWatch } from '../support/process-watch.js';
import { until } from '../support/until.js';
import { Attacker } from './exhaustion/attacker.js';
import { ATTACKS } from './exhaustion/attacks.js';
import { HonestClient } from './exhaustion/honest-client.js';
import { type AttackedShop, givenAttackedShop, givenShop, type Shop } from './exhaustion/shops.js';

const database = useDatabase();

/**
 * Of each attack: the other shop asks for everything three times meanwhile. `npm run test:exhaustion` keeps it up for
 * longer.
 */
const SECONDS = Number(process.env.EXHAUSTION_SECONDS ?? 2);
/** By then the process is as quick as ever again. */
const RECOVERED_MS = measured(100);

/** Besides it, the process has what is sent and received, and garbage. */
const HEAP_MB = 256;

let api: ApiProcess;
let url: string;
let shop: Shop;
let attacked: AttackedShop;

beforeAll(async () => {
  // As it is installed: no limit is switched off, and none is wider.
  api = startApi({ DATABASE_URL: database.url, ...heapOf(HEAP_MB) });
  url = await api.url();
  shop = await givenShop(database);
  attacked = await givenAttackedShop(database, requestTo(url));
});

afterAll(endApis);

async function recovered(): Promise<void> {
  await until(async () => {
    const begun = performance.now();
    const { status } = await requestTo(url)('GET', `/api/Customers/${shop.customerId}`, { token: shop.token });
    return status === 200 && performance.now() - begun < RECOVERED_MS;
  });
}

itInAllCases.each(Object.entries(ATTACKS))(
  'Beside %s, another shop is served promptly, in bounded memory',
  async (name, attack) => {
    await recovered();
    const watch = await ProcessWatch.over(api);
    const attacker = new Attacker(url);
    attack(attacker, attacked);
    const client = new HonestClient(url, shop);
    await pause(SECONDS * 1_000);
    const experience = await client.stop(BOUNDS.promptMs);
    const watched = await watch.stop();
    await attacker.stop();
    const { refused, promptShare, slowestMs } = experience;
    process.stderr.write(`${JSON.stringify({ attack: name, ...experience, ...watched, ...attacker.answered })}\n`);
    expect(refused).toEqual({});
    expect(promptShare).toBeGreaterThanOrEqual(BOUNDS.promptShare);
    expect(slowestMs).toBeLessThanOrEqual(BOUNDS.answerMs);
    expectWithinBounds(watched);
  },
  600_000 + SECONDS * 5_000,
);
