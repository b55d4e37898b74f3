import { readFileSync, writeFileSync } from 'node:fs';
import { type Debugger, type InspectorNotification, Session } from 'node:inspector';
import { basename, dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ConnectionPool, Transaction } from '#libs/platform';
import { LedgerWriter } from '../../apps/worker/src/processor/record/ledger-writer.js';
import { Recorder } from '../../apps/worker/src/processor/record/recorder.js';
import { WorkerEvents } from '../../apps/worker/src/worker-events.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { until } from '../support/until.js';
import { createWorker, givenShop } from '../support/worker.js';

const PAGE = 'apps/worker/src/processor/README.md';
const LIST = /(?<=<!-- order-path -->\n\n).*?(?=\n\n<!-- end -->)/s;
/** Of the sources or of the build, which is what Jest runs. */
const FILE = /\/(?:build\/)?((?:apps\/worker|libs)\/[\w./-]+)\.[jt]s(?=$|:\d)/;
/** Each tick looks for test clocks as well, whatever is due. */
const BESIDE = /\/simulated/;
/**
 * What is checked again after some time is on the way of some orders only, and V8 may miss a call: listed is what most
 * of these call.
 */
const ORDERS = 3;

const database = useDatabase();
const session = new Session();
/** The scripts of this file's own context: Jest runs one file after another in a process. */
let own = new Set<string>();
/** Null while nobody looks. */
let path: Set<string> | null = null;
/** Called after each COMMIT. */
let committed = (): void => undefined;

const fileOf = (text: string) =>
  FILE.exec(text)
    ?.slice(1)
    .map((file) => `${file}.ts`) ?? [];

/** Files with a function that was called since the last look. The body of a module, which begins at 0, is none. */
function called(): string[] {
  let files: string[] = [];
  session.post('Profiler.takePreciseCoverage', (error, { result }) => {
    if (error) throw error;
    const scripts = result.filter(
      ({ scriptId, functions }) =>
        own.has(scriptId) && functions.some(({ ranges }) => ranges[0]!.startOffset > 0 && ranges[0]!.count > 0),
    );
    files = scripts.flatMap(({ url }) => fileOf(url)).sort();
  });
  return files;
}

/**
 * Before each statement, event and record, and after each COMMIT. Coverage knows no order: files that wait for the
 * statement stand as they call each other, the others that were called since the last look behind them, by name.
 */
function look(): void {
  if (path === null) return;
  const callers = new Error().stack!.split('\n').flatMap(fileOf).reverse();
  for (const file of [...callers, ...called()]) if (!BESIDE.test(file)) path.add(file);
}

type Method = (this: unknown, ...given: unknown[]) => Promise<unknown>;
type Methods = Record<string, Method>;

beforeAll(() => {
  for (const [type, names] of [
    [ConnectionPool, ['execute', 'read', 'readBytes', 'transaction']],
    [Transaction, ['execute']],
  ] as const) {
    const methods = type.prototype as unknown as Methods;
    for (const name of names) {
      const method = methods[name]!;
      jest.spyOn(methods, name).mockImplementation(async function (this: unknown, ...given) {
        if (name !== 'transaction') look();
        const result = await method.apply(this, given);
        if (name === 'transaction') {
          look();
          committed();
        }
        return result;
      });
    }
  }
  for (const [type, name] of [
    [WorkerEvents, 'emit'],
    [Recorder, 'record'],
    [LedgerWriter, 'complete'],
  ] as const) {
    const methods = type.prototype as unknown as Methods;
    const method = methods[name]!;
    jest.spyOn(methods, name).mockImplementation(function (this: unknown, ...given) {
      look();
      return method.apply(this, given);
    });
  }
  session.connect();
  const byContext = new Map<number, Set<string>>();
  session.on('Debugger.scriptParsed', ({ params }: InspectorNotification<Debugger.ScriptParsedEventDataType>) => {
    const { executionContextId: id, scriptId, url } = params;
    byContext.set(id, (byContext.get(id) ?? new Set()).add(scriptId));
    if (url.endsWith(__filename)) own = byContext.get(id)!;
  });
  session.post('Debugger.enable');
});
afterAll(() => {
  session.disconnect();
  jest.restoreAllMocks();
});

/** A tick may be over before a worker that has just finished something may claim again. */
async function isClaimed(id: number): Promise<boolean> {
  const rows = await database.query('SELECT 1 FROM processing_cycles WHERE scheduled_order_id = $1', [id]);
  return rows.length > 0;
}

/** By folder, for as long as the way stays in it. */
function listOf(files: readonly string[], mark: (line: number) => string): string {
  const stays: [folder: string, ...names: string[]][] = [];
  for (const file of files) {
    if (stays.at(-1)?.[0] !== dirname(file)) stays.push([dirname(file)]);
    stays.at(-1)!.push(`\`${basename(file)}\``);
  }
  return stays.map(([folder, ...names], index) => `${mark(index + 1)} \`${folder}\`: ${names.join(', ')}`).join('\n');
}

/** What the page lists, by name. */
const filesOf = (page: string): string[] =>
  [...LIST.exec(page)![0].matchAll(/^\S+ `(.+?)`: (.+)$/gm)]
    .flatMap(([, folder, names]) => names!.split(', ').map((name) => `${folder}/${name.slice(1, -1)}`))
    .sort();

it(`${PAGE} has the files on the way of an order, from the tick to COMMIT (npm run pages)`, async () => {
  const gateway = await StripeStandIn.start();
  const made = createWorker(database, { GATEWAY_ONE_URL: gateway.url });
  const shop = await givenShop(database, { apiKey1: 'sk_test_path' });
  await shop.dueOrder();
  await made.drain();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const paths: Set<string>[] = [];
  for (let order = 1; order <= ORDERS; order++) {
    const id = await shop.dueOrder();
    // The round is over before the charge is answered.
    gateway.keepsAfter = gateway.served.charge;
    called();
    paths.push((path = new Set()));
    do await made.tick();
    while (!(await isClaimed(id)));
    await until(() => gateway.served.charge > gateway.keepsAfter);
    const recorded = new Promise<void>((resolve) => (committed = resolve));
    gateway.letGo();
    await recorded;
    path = null;
  }
  await made.end();
  await gateway.stop();
  const isOfMost = (file: string) => paths.filter((one) => one.has(file)).length > ORDERS / 2;
  const most = [...new Set(paths.flatMap((one) => [...one]))].filter(isOfMost);
  const [worker, libs] = ['apps/', 'libs/'].map((root) => most.filter((file) => file.startsWith(root)));
  const list = [
    `${worker!.length} files of the worker, in the order in which they are called first:`,
    listOf(worker!, (line) => `${line}.`),
    `${libs!.length} of \`libs\`, which they call:`,
    listOf(libs!.sort(), () => '-'),
  ].join('\n\n');
  const page = readFileSync(PAGE, 'utf8');
  // Two parts of a round that run at the same time may change places: as it is written, the list is one order's.
  const isAsListed = isDeepStrictEqual(filesOf(page), most.sort());
  if (process.env.WRITE_PAGES === 'true' && !isAsListed) writeFileSync(PAGE, page.replace(LIST, list));
  expect(filesOf(readFileSync(PAGE, 'utf8'))).toEqual(most);
});
