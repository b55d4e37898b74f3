import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openApiDocument } from '../apps/api/src/system/openapi/openapi.js';
import { itInAllCases } from './support/all-cases.js';
import { useApi } from './support/api.js';
import { useDatabase } from './support/database.js';

const run = promisify(execFile);
const api = useApi(useDatabase());

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string; description?: string; schema: object }[];
  requestBody?: { content: object };
  responses: Record<string, { $ref?: string; content?: object }>;
}

interface Field {
  description?: string;
  enum?: (string | number | null)[];
}

interface Document {
  openapi: string;
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, { properties?: Record<string, Field>; required?: string[] }>;
    responses: object;
  };
}

const folder = mkdtempSync(join(tmpdir(), 'scheduled-orders-openapi-'));
const file = join(folder, 'openapi.json');
let document: Document;

beforeAll(async () => {
  document = (await api.request('GET', '/openapi.json')).body as Document;
  writeFileSync(file, JSON.stringify(document));
});
afterAll(() => rmSync(folder, { recursive: true }));

const operations = () =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, ...operation })),
  );

describe('The OpenAPI document', () => {
  itInAllCases('has nothing that Redocly would change (recommended-strict), not even a warning', async () => {
    const environment = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const linter = ['node_modules/@redocly/cli/bin/cli.js', 'lint', file, '--config=redocly.yaml', '--format=json'];
    const { stdout } = await run(process.execPath, linter, { env: environment }).catch(
      (failed: { stdout: string }) => failed,
    );
    const { problems } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { problems: object[] };
    expect(problems).toEqual([]);
  });

  itInAllCases('has nothing that Spectral would change (oas), not even a hint', async () => {
    const { stdout } = await run(process.execPath, ['test/support/openapi/spectral.mjs', file]);
    expect(JSON.parse(stdout)).toEqual([]);
  });

  it('links to the guides, which the API serves', async () => {
    const texts = [document.info.description, ...document.tags.map(({ description }) => description)];
    const links = texts.flatMap((text) => [...text.matchAll(/\]\((\/docs\/[^)#]+)\)/g)].map(([, path]) => path!));
    expect(links).toEqual(expect.arrayContaining(['/docs/guides', '/docs/schedule', '/docs/gateways']));
    for (const path of new Set(links)) expect([path, (await api.request('GET', path)).status]).toEqual([path, 200]);
    expect(openApiDocument(api.app, 'https://orders.example').externalDocs).toEqual({
      description: 'Guides',
      url: 'https://orders.example/docs/guides',
    });
  });

  it('describes every field and every parameter', () => {
    const fields = Object.entries(document.components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).map(([field, { description }]) => [`${name}.${field}`, description] as const),
    );
    const parameters = operations().flatMap(({ route, parameters = [] }) =>
      parameters.map(({ name, description }) => [`${route} ${name}`, description] as const),
    );
    expect([...fields, ...parameters].filter(([, words]) => (words ?? '').length < 5)).toEqual([]);
  });

  it('explains every word of an enumeration where it stands', () => {
    const { schemas } = document.components;
    const enumerations = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).flatMap(([field, { enum: words = [], description }]) =>
        words
          .filter((word) => word !== null && `${name}.${field}` !== 'QuoteProblem.Name')
          .map((word) => ({ field: `${name}.${field}`, word, isExplained: description!.includes(`\`${word}\``) })),
      ),
    );
    expect(enumerations.length).toBeGreaterThan(60);
    expect(enumerations.filter(({ isExplained }) => !isExplained)).toEqual([]);
    for (const field of ['EventLog.Description', 'ErrorLog.Description', 'Cycle.FailureCode', 'QuoteProblem.Code']) {
      const [schema, name] = field.split('.') as [string, string];
      expect(schemas[schema]!.properties![name]!.description).toMatch(/`1000` EmptyScheduledOrder: [^]*`2001` Gateway/);
    }
  });

  it('stands in openapi.json, from which clients are made (npm run client)', () => {
    expect(document).toEqual(JSON.parse(readFileSync('openapi.json', 'utf8')));
  });

  it('names every operation once, and says in a sentence what it does', () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { operationId, summary } of operations()) {
      expect(operationId).toMatch(/^[a-z][A-Za-z]+$/);
      expect(summary).toMatch(/^[A-Z][^.]{9,}[^.]$/);
    }
  });

  it('sorts every operation under headings that it explains', () => {
    const named = new Set(operations().flatMap(({ tags }) => tags));
    expect(operations().filter(({ tags }) => tags.length !== 1)).toEqual([]);
    expect([...named].sort()).toEqual(document.tags.map(({ name }) => name).sort());
    for (const { description } of document.tags) expect(description).toMatch(/\.$/);
  });

  it('documents the errors that a route of its kind can have', () => {
    for (const { route, parameters = [], requestBody, security, responses } of operations()) {
      const expected = new Set(route === 'GET /metrics' ? [] : ['500', '503']);
      if (security.length > 0) ['401', '403', '429'].forEach((status) => expected.add(status));
      if (parameters.length > 0) expected.add('400');
      if (parameters.some((parameter) => parameter.in === 'path')) expected.add('404');
      if (parameters.some(({ name }) => name === 'Idempotency-Key')) ['409', '422'].forEach((s) => expected.add(s));
      if (requestBody !== undefined) ['400', '413', '415'].forEach((status) => expected.add(status));
      const documented = Object.keys(responses).filter((status) => Number(status) >= 400);
      expect({ route, missing: [...expected].filter((status) => !documented.includes(status)) }).toEqual({
        route,
        missing: [],
      });
      for (const status of documented) expect(responses[status]!.$ref).toMatch(/^#\/components\/responses\/[A-Z]/);
    }
  });

  it('takes an Idempotency-Key with every POST but those that store nothing to repeat', () => {
    const posts = operations().filter(({ route }) => route.startsWith('POST '));
    const without = posts.filter(({ parameters = [] }) => !parameters.some(({ name }) => name === 'Idempotency-Key'));
    expect(without.map(({ operationId }) => operationId).sort()).toEqual([
      'confirmSession',
      'createSession',
      'explainRates',
      'generateAccessToken',
      'login',
      'verifyPaymentIntegration',
    ]);
  });

  it('shows every error as it looks', () => {
    const responses = document.components.responses as Record<
      string,
      { description: string; content: Record<string, { example: { title: string; status: number; detail: string } }> }
    >;
    for (const [name, { description, content }] of Object.entries(responses)) {
      const { example } = content['application/problem+json']!;
      expect(example.title.replaceAll(' ', '')).toBe(name);
      expect(example.detail.length).toBeGreaterThan(10);
      expect(description.length).toBeGreaterThan(20);
    }
  });

  it('says which tokens may call an operation', () => {
    const all = Object.fromEntries(operations().map(({ route, ...operation }) => [route, operation]));
    const saying = (words: string, security: object[]) => ({ description: expect.stringContaining(words), security });
    expect(all).toMatchObject({
      'POST /api/AccessTokens/Login': saying('Needs no token.', []),
      'POST /api/Products': saying('Merchant tokens and API keys only.', [{ AccessToken: [] }]),
      'POST /api/ApiKeys': saying('Merchant tokens only; no API keys.', [{ AccessToken: [] }]),
      'GET /api/Session': saying('For the cookie of a session only; no other tokens.', [{ Session: [] }]),
      'GET /api/Products': saying('Merchant and Customer tokens, and API keys;', [{ AccessToken: [] }]),
    });
    const silent = operations().filter(({ description }) => !/ tokens?[ .;]/.test(description));
    expect(silent).toEqual([]);
  });

  it('promises every field of an answer, and none of a body', () => {
    const { Customer, CustomerBody, ScheduledOrder, ScheduledOrderBody } = document.components.schemas;
    const fields = Object.keys(Customer!.properties!);
    expect(Customer!.required).toEqual(fields);
    expect([Object.keys(CustomerBody!.properties!), CustomerBody!.required]).toEqual([fields, undefined]);
    expect(ScheduledOrder!.properties).toMatchObject({
      ShippingTotal: { type: 'integer' },
      Customer: { allOf: [{ $ref: '#/components/schemas/Customer' }] },
      ScheduledOrderItems: { type: 'array', items: { $ref: '#/components/schemas/ScheduledOrderItem' } },
    });
    expect(ScheduledOrderBody!.properties).toMatchObject({
      ShippingTotal: { type: ['integer', 'null'] },
      ScheduledOrderItems: { type: ['array', 'null'], items: { $ref: '#/components/schemas/ScheduledOrderItemBody' } },
    });
    expect(JSON.stringify(document)).not.toContain('x-');
  });
});
