import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fastify } from 'fastify';
import { DocsSite } from '../../apps/api/src/system/pages/docs-site.js';
import { serveGuides } from '../../apps/api/src/system/pages/guides.js';
import { servePages } from '../../apps/api/src/system/pages/pages.js';
import { requestTo, type TestApi, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';

const api = useApi(useDatabase());
const server = fastify({ routerOptions: { ignoreTrailingSlash: true } });
let folder: string;
let built: TestApi['request'];
let port: number;

/** A small site in the form of the real one, which test/browser looks at. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'docs-site-'));
  mkdirSync(join(folder, 'assets'));
  mkdirSync(join(folder, 'reference'));
  const page = (text: string) =>
    `<script>first()</script><script src="/docs/guides/assets/app.js"></script><h1>${text}</h1>`;
  for (const name of ['index', '404', 'quick-start', 'errors', 'processing', 'reference/orders'])
    writeFileSync(join(folder, `${name}.html`), page(name));
  writeFileSync(join(folder, 'assets/app.1.js'), 'started()');
  writeFileSync(join(folder, 'icon.svg'), '<svg/>');
  writeFileSync(join(folder, '..', `${folder.split('/').at(-1)}.html`), 'of nobody');
  const site = new DocsSite(folder);
  servePages(server, site);
  await serveGuides(server, site);
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  port = Number(new URL(url).port);
  built = requestTo(url);
});
afterAll(async () => {
  await server.close();
  rmSync(`${folder}.html`);
  rmSync(folder, { recursive: true });
});

describe('Where the site is built', () => {
  it.each([
    ['/docs/guides/', 'index'],
    ['/docs/guides/processing', 'processing'],
    ['/docs/guides/processing?from=mail', 'processing'],
    ['/docs/guides/reference/orders', 'reference/orders'],
  ])('%s is its page, with a policy that lists the hash of its script', async (path, title) => {
    const { status, headers, body } = await built('GET', path);
    expect([status, body]).toEqual([200, expect.stringContaining(`<h1>${title}</h1>`)]);
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'self' 'sha256-fDYmfWjvur9AxjhDbjHe6RvExc05MbXhhrbgz2vvy/A='; style-src 'self' 'sha256-skqujXORqzxt1aE0NNXxujEanPTX6raoqSscTV/Ww/Y='; style-src-attr 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
    );
    expect(headers.get('cache-control')).toBe('no-cache');
  });

  it.each([
    ['/docs/guides', '/docs/guides/'],
    ['/docs/processing', '/docs/guides/processing'],
    ['/docs/README', '/docs/guides/quick-start'],
    ['/docs/errors', '/docs/guides/errors'],
  ])('%s leads to %s, so that no page exists twice', async (path, target) => {
    const { status, headers } = await built('GET', path);
    expect([status, headers.get('location')]).toEqual([302, target]);
  });

  it('a page that it lacks is served as it is', async () => {
    const { status, body } = await built('GET', '/docs/glossary');
    expect([status, body]).toEqual([200, expect.stringContaining('<h1 id="glossary">Glossary</h1>')]);
  });

  it('serves its files, whose names change with what is in them', async () => {
    const script = await built('GET', '/docs/guides/assets/app.1.js');
    expect([script.status, script.body, script.headers.get('cache-control')]).toEqual([
      200,
      'started()',
      'public, max-age=31536000, immutable',
    ]);
    const icon = await built('GET', '/docs/guides/icon.svg');
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect((await built('GET', '/docs/guides/assets/none.js')).status).toBe(404);
  });

  it('has no page beyond its folder', async () => {
    const outside = folder.split('/').at(-1)!;
    for (const path of [`../${outside}`, `..%2f${outside}`, 'assets/../../x', '.index', 'none', 'constructor']) {
      // As it is written; fetch would resolve its dots.
      const status = await new Promise((resolve) =>
        httpRequest({ port, path: `/docs/guides/${path}` }, (answer) => resolve(answer.resume().statusCode)).end(),
      );
      expect([path, status]).toEqual([path, path.startsWith('assets') ? 403 : 404]);
    }
  });
});

describe('Where it is not built', () => {
  it('the API says so, with the pages as they are', async () => {
    const { status, body } = await api.request('GET', '/docs/guides/');
    expect(status).toBe(200);
    expect(body).toContain('The docs site is not built: run <code>npm run docs</code>');
    expect(body).toContain('<a href="/docs/processing">Processing</a>');
  });

  it('a page of the site leads to the same page as it is', async () => {
    const { status, headers } = await api.request('GET', '/docs/guides/processing');
    expect([status, headers.get('location')]).toEqual([302, '/docs/processing']);
    expect((await api.request('GET', '/docs/guides/none')).status).toBe(404);
    expect((await api.request('GET', '/docs/guides/icon.svg')).status).toBe(404);
  });
});
