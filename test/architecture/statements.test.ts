/**
 * Stack traces say which file of the sources sends a statement: Jest loads the sources themselves.
 * @jest-environment node
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { adoptDeployment, resolveCycle, stuckCycles } from '#libs/ledger';
import { ConnectionPool, type Statement, Transaction } from '#libs/platform';
import { itInAllCases } from '../support/all-cases.js';
import { TEST_ENCRYPTION_KEY, useApi } from '../support/api.js';
import { sessionHeaders } from '../support/api/session.js';
import { useDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { examplePath, isOfSession, type OpenApiDocument, type Route, routesOf } from '../support/openapi/document.js';
import { makeDemo } from '../support/shops/demo.js';
import { SharedPage } from '../support/sql/shared-sql.js';
import { layOut } from '../support/sql/sql-layout.js';
import { exportedStatements, filesIn, isStatement } from '../support/sql/statements.js';
import { createWorker } from '../support/worker.js';

const ROOT = join(__dirname, '../..');
const FOLDER = 'docs/sql';
const AGAIN = 'npm run sql';
const IS_WRITING = process.env.WRITE_STATEMENTS === 'true';

const database = useDatabase();
const api = useApi(database, { RATE_LIMIT_PER_SECOND: '0' });

/** A statement that was sent: for what, and by which function. */
interface Sent {
  readonly text: string;
  readonly uses: Set<string>;
  readonly senders: Set<string>;
}

const sent = new Map<string, Sent>();
let use = '';

/** The first file outside of the libraries' own way to the database that asked for it. */
function sender(): string {
  const lines = new Error().stack!.split('\n').map((line) => /at (?:async )?(.*) \((.*?\.ts):\d+:\d+\)$/.exec(line));
  const frame = lines.find((found) => {
    const file = found === null ? '' : relative(ROOT, found[2]!);
    return /^(apps|libs)\//.test(file) && !/^libs\/(platform\/src\/database\/|records\/src\/database\.ts)/.test(file);
  });
  return frame === undefined || frame === null ? 'the driver' : relative(ROOT, frame[2]!);
}

/** It asks now and then, whatever is requested; a worker sends the same statement. */
const BY_THE_CLOCK = 'apps/api/src/system/outdated.ts';
/** It notes the use of a token or a session, whichever request comes first in a minute. */
const NOTES_USE = 'apps/api/src/auth/callers.ts';
const ONCE_A_MINUTE = 'any route, once a minute';

/** What a worker sends is its own, also while a route is asked: the leader of the test clocks works beside it. */
function record(statement: Statement | string): void {
  const by = sender();
  if (by === BY_THE_CLOCK) return;
  const text = typeof statement === 'string' ? statement : statement.text;
  const known = sent.get(text) ?? { text, uses: new Set(), senders: new Set() };
  sent.set(text, known);
  const isOfWorker = by.startsWith('apps/worker/');
  known.uses.add(by === NOTES_USE && text.startsWith('UPDATE') ? ONCE_A_MINUTE : isOfWorker ? 'a worker' : use);
  known.senders.add(by);
}

/** Every way to the database is one of these: the product has no other handle. */
beforeAll(() => {
  for (const [type, names] of [
    [ConnectionPool, ['execute', 'read', 'readBytes']],
    [Transaction, ['execute']],
  ] as const) {
    const methods = type.prototype as unknown as Record<string, (...given: unknown[]) => unknown>;
    for (const name of names) {
      const method = methods[name]!;
      jest.spyOn(methods, name).mockImplementation(function (this: unknown, ...given: unknown[]) {
        if (use !== '') record(given[0] as Statement | string);
        return method.apply(this, given);
      });
    }
  }
});
afterAll(() => jest.restoreAllMocks());

const exampleOf = ({ requestBody }: Route) => requestBody?.content?.['application/json']?.example;

interface Request {
  readonly route: Route;
  readonly path?: string;
  readonly body?: unknown;
}

/** Every route with its documented example on the demo, then a worker, then every deletion. */
async function askForEverything(): Promise<void> {
  await (await makeDemo(database, api)).end();
  // What somebody decides of pushes: one for each example.
  for (const id of [101, 102, 103]) await given(database).push(1, 1, { id, state: 'Differs', shopOrderId: `${id}` });
  const document = (await api.request('GET', '/openapi.json')).body as OpenApiDocument;
  const routes = routesOf(document).filter(({ path }) => path.startsWith('/api/'));
  const named = (name: string) => routes.find(({ operationId }) => operationId === name)!;
  const { body } = await api.request('POST', named('login').path, { body: exampleOf(named('login')) });
  const { TokenAuth: token } = body as { TokenAuth: string };
  const session = await sessionHeaders(api, exampleOf(named('createSession')));
  // So old that the next request notes their use, however long this takes.
  await database.query(`UPDATE access_tokens SET created_utc = now() - interval '2 minutes', last_used_utc = NULL`);
  let requests = 0;
  const leader = createWorker(database, { ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });
  const ask = async ({ route, path = examplePath(route), body }: Request) => {
    // An Advance is over before the next request.
    if (route.path.startsWith('/api/TestClock/')) await leader.drain();
    use = `${route.method} ${route.path}`;
    const headers: Record<string, string> =
      route.method === 'POST' ? { 'idempotency-key': `statements-${++requests}` } : {};
    const by = isOfSession(route) ? { headers: { ...headers, ...session } } : { token, headers };
    const answer = await api.request(route.method, path, { ...by, body });
    expect([use, answer.status, answer.status < 300 ? null : answer.body]).toEqual([use, answer.status, null]);
    use = '';
  };
  const [others, deletions] = [true, false].map((is) => routes.filter(({ method }) => is === (method !== 'DELETE')));
  for (const route of others!) await ask({ route, body: exampleOf(route) });
  for (const route of others!.filter(({ method }) => method === 'GET')) {
    for (const path of questionsOf(route)) await ask({ route, path });
  }
  const changes = [{ Status: 'Paused' }, { Status: 'Active' }, { FrequencyType: 'Days', Frequency: 9 }];
  for (const body of changes) await ask({ route: named('updateScheduledOrder'), body });
  const worker = createWorker(database, { ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });
  use = 'a worker';
  await worker.drain();
  await worker.end();
  use = 'deployment:adopt';
  await adoptDeployment(database.pool, undefined);
  use = 'cycles:stuck';
  await stuckCycles(database.pool, { limit: 1 });
  use = 'cycles:resolve';
  await resolveCycle(database.pool, { scheduledOrderId: 1, cycle: 99, transactionId: null, by: 'x' }).catch(() => null);
  use = '';
  const orders = await database.query<{ id: string }>(`SELECT id FROM scheduled_orders WHERE deleted_utc IS NULL`);
  const [key] = await database.query<{ id: string }>(`SELECT id FROM api_keys WHERE revoked_utc IS NULL`);
  for (const route of deletions!.sort((one, other) => rank(one) - rank(other))) {
    // Payment methods are deleted when no order uses them any more.
    if (route.operationId === 'deleteApiKey') await ask({ route, path: `/api/ApiKey/${key!.id}` });
    else if (route.operationId !== 'deleteScheduledOrder') await ask({ route });
    else for (const { id } of orders) await ask({ route, path: `/api/ScheduledOrders/${id}` });
  }
  await leader.end();
}

/** A list with each of its questions, one at a time. */
const questionsOf = ({ path, parameters = [] }: Route): string[] =>
  parameters.some(({ name }) => name === 'q')
    ? parameters
        .filter(({ schema }) => schema.example !== undefined)
        .map(({ name, schema }) => `${path}?${name}=${encodeURIComponent(String(schema.example))}`)
    : [];

/** What belongs to others is deleted before them; others in any order. */
const DELETED_LAST = [
  '/api/ScheduledOrders/{scheduledOrderId}',
  '/api/Customers/{customerId}/PaymentMethods/{paymentMethodId}',
  '/api/Customers/{customerId}',
  '/api/Products/{productId}',
  '/api/AccessTokens/{accessTokenId}',
];
const rank = ({ path }: Route) => DELETED_LAST.indexOf(path);
/** `TaxRate` and `TaxRates` are one, as are `WebhookDelivery` and `WebhookDeliveries`, `ApiKey` and `ApiKeys`. */
const resourceOf = (path: string) =>
  path
    .split('/')[2]!
    .replace(/(?<![aeiou])y$/, 'ie')
    .replace(/s?$/, 's');
/** The app or the library that sends it. */
const folderOf = (file: string) => file.split('/')[1] ?? 'platform';

const kebab = (name: string) => name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();

/** What the routes of one resource send has a file of its own; what more of them send stands together. */
function fileOf({ uses, senders }: Sent): string {
  const routes = [...uses].filter((one) => one.includes('/api/'));
  if (routes.length === 0 && !uses.has(ONCE_A_MINUTE)) return `${folderOf([...senders].sort()[0]!)}/other.sql`;
  const [only, ...others] = new Set(routes.map(resourceOf));
  const isOfOne = routes.length === uses.size && others.length === 0;
  return isOfOne ? `api/${kebab(only!)}.sql` : 'api/shared.sql';
}

const VIEWS = 'views.sql';
const HEADER = `-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: ${AGAIN}
-- What calls a function of the code, as \`orderView.json(x)\` does, is printed once: ${FOLDER}/${VIEWS}
`;
const title = (lines: readonly string[]) => lines.map((line) => `-- ${line}`).join('\n');

async function filesOfStatements(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const add = (file: string, ...parts: readonly string[]) => {
    if (files.has(file)) throw new Error(`Two modules, or a module and a resource, are both to be ${file}.`);
    files.set(file, [HEADER, ...parts].join('\n'));
  };
  const shared = new SharedPage();
  const print = (text: string) => `${layOut(shared.shorten(text))}\n`;
  const known = new Set<string>();
  for (const { module, statements } of await exportedStatements()) {
    for (const [, text] of statements) known.add(text);
    const parts = statements.map(([name, text]) => `${title([name])}\n${print(text)}`);
    add(`${folderOf(module)}/${basename(module, '.sql.ts')}.sql`, `${title([module])}\n`, ...parts);
  }
  await askForEverything();
  const others = [...sent.values()].filter(({ text }) => !known.has(text) && isStatement(text));
  const grouped = new Map<string, string[]>();
  for (const one of others) {
    const uses = one.uses.size > 12 ? [`${one.uses.size} routes`] : [...one.uses].sort();
    const part = `${title([...one.senders].sort())}\n${title(uses.map((name) => `for ${name}`))}\n${print(one.text)}`;
    grouped.set(fileOf(one), [...(grouped.get(fileOf(one)) ?? []), part]);
  }
  for (const [file, parts] of grouped) add(file, ...parts.sort());
  add(VIEWS, ...shared.print());
  return files;
}

/** `npm run sql` as well. */
const itWhole = IS_WRITING ? it : itInAllCases;

itWhole(
  `every statement of the hot paths stands in ${FOLDER} as it is sent; where it should, "${AGAIN}" writes it again`,
  async () => {
    const files = await filesOfStatements();
    expect(files.size).toBeGreaterThan(20);
    expect(files.get(VIEWS)).toContain('-- scheduledOrderView.json(x)\n');
    const stale = filesIn(FOLDER)
      .map((file) => relative(FOLDER, file))
      .filter((file) => file.endsWith('.sql') && !files.has(file));
    if (IS_WRITING) {
      for (const file of stale) rmSync(join(ROOT, FOLDER, file));
      for (const [file, text] of files) {
        mkdirSync(dirname(join(ROOT, FOLDER, file)), { recursive: true });
        writeFileSync(join(ROOT, FOLDER, file), text);
      }
      return;
    }
    const stored = (file: string) => {
      const path = join(ROOT, FOLDER, file);
      return existsSync(path) ? readFileSync(path, 'utf8') : '';
    };
    const changed = [...files].filter(([file, text]) => stored(file) !== text).map(([file]) => file);
    const [first] = changed;
    if (first !== undefined) expect(`${first}\n${files.get(first)!}`).toBe(`${first}\n${stored(first)}`);
    expect({ changed, stale }).toEqual({ changed: [], stale: [] });
  },
);
