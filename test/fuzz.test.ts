import { setImmediate } from 'node:timers/promises';
import * as fc from 'fast-check';
import pLimit from 'p-limit';
import { itInAllCases } from './support/all-cases.js';
import { requestTo } from './support/api.js';
import { Connections, type HttpRequest, type TimedAnswer } from './support/api/connections.js';
import { endApis, startApi } from './support/api-process.js';
import { BOUNDS } from './support/bounds.js';
import { useDatabase } from './support/database.js';
import { Answers } from './support/openapi/answers.js';
import { type OpenApiDocument, type Route, routesOf } from './support/openapi/document.js';
import { fuzzWorld, SENDERS } from './support/openapi/fuzz-world.js';
import { Requests } from './support/openapi/requests.js';
import { expectWithinBounds, ProcessWatch } from './support/process-watch.js';
import { SEED } from './support/random.js';

const database = useDatabase();

afterAll(endApis);

/** `npm run test:fuzz` sends a great many more. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 6_000);
const CONNECTIONS = 16;
const PER_ROUTE_AND_ROUND = 6;
/** Most records are deleted late in a round, so that there is something to ask for until then. */
const DELETED_FROM = 0.6;

/** Nobody listens where the gateways are looked for. */
const nowhere = 'http://127.0.0.1:9';
const SETTINGS = {
  GATEWAY_ONE_URL: nowhere,
  GATEWAY_TWO_URL: nowhere,
  // Off in effect; 0 would switch the limits of single operations off too.
  RATE_LIMIT_PER_SECOND: '1000000',
  // Each round logs in from an address of its own: what earlier ones failed at is not held against it.
  TRUST_PROXY: 'loopback',
};

interface Shot {
  readonly route: Route;
  /** Whose token it is sent with. */
  readonly sender: string;
  readonly request: HttpRequest;
}

/**
 * A request for events may wait, up to 25 s, until there are some. That is tested by itself (test/events), and would
 * take most of the time here.
 */
const withoutWait = (path: string) => path.replace(/(?<=[?&]WaitSeconds=)(\d|1\d|2[0-5])(?=&|$)/g, '0');

/** The requests of one round: some to every route, in an order of their own, to records of their own. */
async function roundOf(document: OpenApiDocument, round: number): Promise<Shot[]> {
  const { known, tokens } = await fuzzWorld(database);
  const requests = new Requests(document, known);
  const shots: (Shot & { place: number })[] = [];
  for (const [index, route] of routesOf(document).entries()) {
    const seed = SEED + 1_000 * round + index;
    const shot = fc.tuple(requests.forRoute(route), fc.constantFrom(...SENDERS), fc.noBias(fc.nat(1_000)));
    for (const [{ headers, ...sent }, sender, at] of fc.sample(shot, { seed, numRuns: PER_ROUTE_AND_ROUND })) {
      const token = tokens.get(sender);
      const own = {
        'x-forwarded-for': `10.0.${round >> 8}.${round & 255}`,
        ...(token === undefined ? {} : { authorization: `Basic ${token}` }),
      };
      const request = { method: route.method, ...sent, path: withoutWait(sent.path), headers: { ...headers, ...own } };
      const place = route.method === 'DELETE' ? DELETED_FROM + (1 - DELETED_FROM) * (at / 1_000) : at / 1_000;
      shots.push({ route, sender, request, place });
    }
    // Whoever measures answers at the same time gets its turn.
    await setImmediate();
  }
  return shots.sort((one, other) => one.place - other.place);
}

/**
 * Sends all of them over the connections, on each one after the other. A sender reads one list at a time: a customer
 * may read two whole ones at once, and is refused with 503 beyond.
 */
async function sendAll(shots: readonly Shot[], send: (shot: Shot) => Promise<void>): Promise<void> {
  const left = shots.values();
  const lists = new Map(SENDERS.map((sender) => [sender, pLimit(1)]));
  const connection = async () => {
    for (const shot of left) {
      if (/^(list|search|forecast)/.test(shot.route.operationId)) await lists.get(shot.sender)!(() => send(shot));
      else await send(shot);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
}

/** What has been answered so far, and what was wrong with it. */
class Tally {
  requests = 0;
  slowestMs = 0;
  readonly statuses: Record<number, number> = {};
  readonly succeeded = new Set<string>();

  constructor(private readonly answers: Answers) {}

  /** @throws Error that has the request, for sending it again. */
  take({ route, sender, request }: Shot, answer: TimedAnswer | Error): void {
    this.requests++;
    const fault = answer instanceof Error ? answer.message : this.faultOf(route, answer);
    if (fault === null) return;
    throw new Error(`${route.operationId}: ${fault}\nSent by ${sender}: ${JSON.stringify(request)}`);
  }

  private faultOf(route: Route, answer: TimedAnswer): string | null {
    const { status, text, ms } = answer;
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    this.slowestMs = Math.max(this.slowestMs, ms);
    if (status < 300) this.succeeded.add(route.operationId);
    if (status >= 500) return `${status}: ${text}`;
    if (ms > BOUNDS.answerMs)
      return `${status} came after ${Math.round(ms)} ms; at most ${BOUNDS.answerMs} are allowed.`;
    return this.answers.fault(route, answer);
  }
}

itInAllCases(
  `${REQUESTS.toLocaleString('en')} requests, whatever they are, are answered in time and as the document says, never with 5xx, in bounded memory`,
  async () => {
    const api = startApi({ DATABASE_URL: database.url, ...SETTINGS });
    const url = await api.url();
    const document = (await requestTo(url)('GET', '/openapi.json')).body as OpenApiDocument;
    const tally = new Tally(await Answers.create(document));
    const connections = new Connections(url, CONNECTIONS);
    const watch = await ProcessWatch.over(api);
    const begun = performance.now();
    for (let round = 0; tally.requests < REQUESTS; round++) {
      await sendAll(await roundOf(document, round), async (shot) =>
        tally.take(shot, await connections.send(shot.request).catch((error: Error) => error)),
      );
    }
    connections.close();
    const watched = await watch.stop();
    const { requests, statuses, succeeded } = tally;
    const operations = routesOf(document).map(({ operationId }) => operationId);
    const figures = {
      requests,
      seconds: Math.round((performance.now() - begun) / 1_000),
      statuses,
      neverSucceeded: operations.filter((operation) => !succeeded.has(operation)),
      slowestMs: Math.round(tally.slowestMs),
      ...watched,
    };
    process.stderr.write(`${JSON.stringify(figures)}\n`);
    expectWithinBounds(watched);
    // What nothing ever gets through to proves little. In a short run, chance leaves out a tenth of the operations,
    // sometimes more.
    expect(succeeded.size / operations.length).toBeGreaterThan(REQUESTS < 50_000 ? 0.8 : 0.9);
  },
  600_000 + REQUESTS * 60,
);
