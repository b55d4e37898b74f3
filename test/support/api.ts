import { once } from 'node:events';
import { Agent, type IncomingMessage, request as requestOf } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createLogger, type Environment, loadSettings, openPool } from '#libs/platform';
import { createApp } from '../../apps/api/src/create-app.js';
import { openReplica } from '../../apps/api/src/replica.js';
import type { TestDatabase } from './database.js';

export const TEST_ENCRYPTION_KEY = '7a'.repeat(32);

/** Whether a developer has built the docs site changes nothing in these tests. */
const NO_DOCS_SITE = '/docs-site-is-not-built';

export interface RequestOptions {
  /** Goes behind `Authorization: Basic`. */
  token?: string | undefined;
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown;
  headers?: Record<string, string> | undefined;
}

/** What an answer or a log holds is what a test asserts: no type could say it better. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

export interface Answered {
  status: number;
  headers: Headers;
  /** Parsed when it is JSON, else text. */
  body: Json;
}

export interface TestApi {
  url: string;
  app: NestFastifyApplication;
  request(method: string, path: string, options?: RequestOptions): Promise<Answered>;
}

/** Requests to an API wherever it runs. */
export const requestTo =
  (url: string): TestApi['request'] =>
  (method, path, options = {}) =>
    send(url + path, method, options);

const agent = new Agent({ keepAlive: true });

/** As `fetch` sends it, which takes three times as much of the processor. */
const OF_FETCH = {
  accept: '*/*',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
  'accept-encoding': 'gzip, deflate',
};

async function send(url: string, method: string, { token, body, headers }: RequestOptions): Promise<Answered> {
  const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const request = requestOf(url, {
    method,
    agent,
    headers: {
      ...OF_FETCH,
      ...(token === undefined ? {} : { authorization: `Basic ${token}` }),
      ...(content === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
  });
  // One that is lost after its answer began is the answer's.
  request.on('error', () => undefined).end(content);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const text = new TextDecoder().decode(Buffer.concat(await response.toArray()));
  const received = new Headers();
  for (const [name, values] of Object.entries(response.headersDistinct))
    for (const value of values!) received.append(name, value);
  const isJson = received.get('content-type')?.includes('json') === true;
  return { status: response.statusCode!, headers: received, body: isJson && text !== '' ? JSON.parse(text) : text };
}

/** Where the next page is; undefined on the last. */
export const nextLink = (headers: Headers): string | undefined =>
  /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];

/** An API in this process, listening on a port of its own, until it is closed. */
export interface OpenApi extends TestApi {
  close(): Promise<void>;
}

/** Starts one, with the replica that its settings name. */
export async function openApi(
  databaseUrl: string,
  environment: Environment = {},
  logTo: NodeJS.WritableStream = process.stdout,
): Promise<OpenApi> {
  const settings = loadSettings({
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    LOG_LEVEL: 'silent',
    ...environment,
  });
  const { databasePooler: pooler, readDatabaseUrl } = settings;
  const pool = openPool({ url: databaseUrl, pooler, applicationName: 'api' }, { connections: 10, pipeline: true });
  const log = createLogger('api', settings, logTo);
  const replica = readDatabaseUrl ? await openReplica(pool, { url: readDatabaseUrl, pooler }, log) : null;
  if (typeof replica === 'string') throw new Error(replica);
  const app = await createApp({ settings, log, pool, replica, docsFolder: NO_DOCS_SITE });
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as { address(): AddressInfo }).address();
  const url = `http://127.0.0.1:${port}`;
  const close = async () => {
    // Also those that a test has opened without sending anything, as `fetch` does for a request that it then takes
    // back.
    app.getHttpServer().closeAllConnections();
    await app.close();
    await replica?.pool.end();
    await pool.end();
  };
  return { url, app, request: requestTo(url), close };
}

/** The same for all tests of a file; its fields are filled in before the first test. */
export function useApi(
  database: TestDatabase,
  environment: Environment = {},
  logTo: NodeJS.WritableStream = process.stdout,
): TestApi {
  const api = {} as OpenApi;
  beforeAll(async () => void Object.assign(api, await openApi(database.url, environment, logTo)));
  afterAll(() => api.close?.());
  return api;
}
