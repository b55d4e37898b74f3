import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fastify } from 'fastify';
import { serveConsole } from '../../apps/api/src/system/pages/console.js';
import { itInAllCases } from '../support/all-cases.js';
import { requestTo, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';

const ASSETS = join(__dirname, '../../dist/console/assets');

const database = useDatabase();
const api = useApi(database);
const without = useApi(database, { SERVE_CONSOLE: 'false' });
const PAGE = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const open = (path: string) => api.request('GET', path, { headers: PAGE });

/** Sends the path as it is written; `fetch` would resolve its dots first. */
const statusOf = (path: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const { hostname, port } = new URL(api.url);
    httpRequest({ hostname, port, path, headers: PAGE }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end();
  });

beforeAll(() => {
  if (!existsSync(ASSETS)) throw new Error('There is no dist/console: run npm run build.');
});

describe('The page', () => {
  it('has a policy of its own and a nonce that is never used again', async () => {
    const nonces = new Set<string>();
    for (let time = 0; time < 3; time += 1) {
      const { status, headers, body } = await open('/console/');
      const nonce = /'nonce-([^']+)'/.exec(headers.get('content-security-policy')!)![1]!;
      nonces.add(nonce);
      expect(status).toBe(200);
      expect(headers.get('content-security-policy')).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; connect-src 'self'; img-src 'self' data: https:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'`,
      );
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(body).toContain(`<meta property="csp-nonce" nonce="${nonce}">`);
      expect(body).not.toContain('__CSP_NONCE__');
      expect(body).toContain('name="demo-login" content=""');
    }
    expect(nonces.size).toBe(3);
  });

  it.each(['/console/login', '/console/s/1/scheduled-orders/7?tab=items', '/console/s/1/a.b', '/console/assetsx'])(
    'is the answer at %s, too: the console reads the address',
    async (path) => {
      const { status, body } = await open(path);
      expect([status, String(body).includes('<div id="root">')]).toEqual([200, true]);
    },
  );

  it('is found without the last slash, and with what is asked for', async () => {
    const { status, headers } = await open('/console?a=1');
    expect([status, headers.get('location')]).toEqual([302, '/console/?a=1']);
  });

  it('is for who asks for a page', async () => {
    const { status, body } = await api.request('GET', '/console/s/1/today', {
      headers: { accept: 'application/json' },
    });
    expect([status, body.title]).toEqual([404, 'Not Found']);
  });

  it.each(['POST', 'PUT', 'DELETE'])('does not take %s', async (method) => {
    expect((await api.request(method, '/console/login', { headers: PAGE })).status).toBe(404);
  });

  it('changes nothing of the headers of other pages', async () => {
    expect((await open('/docs/errors')).headers.get('content-security-policy')).toContain(`'unsafe-inline'`);
  });
});

describe('A file', () => {
  const names = () => readdirSync(ASSETS).filter((name) => /[.](js|css)$/.test(name));

  it('is kept for ever by browsers, and sent compressed', async () => {
    for (const name of names()) {
      const { status, headers } = await api.request('GET', `/console/assets/${name}`);
      expect([name, status]).toEqual([name, 200]);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('content-encoding')).toMatch(/^(br|gzip)$/);
      expect(headers.get('content-type')).toMatch(name.endsWith('.js') ? /javascript/ : /^text\/css/);
    }
    expect(names().length).toBeGreaterThan(15);
  });

  it('that is not there is not found, and nothing outside its folder is', async () => {
    expect((await open('/console/assets/index-0000.js')).status).toBe(404);
    for (const path of [
      '/console/assets/../index.html',
      '/console/assets/../../apps/api/src/main.js',
      '/console/assets/..%2f..%2fapps%2fapi%2fsrc%2fmain.js',
      '/console/assets/%2e%2e/%2e%2e/package.json',
      '/console/assets/..%5c..%5cpackage.json',
      '/console/assets/%00',
      '/console/assets//etc/passwd',
      '/console/assets/.vite/manifest.json',
    ]) {
      expect([path, [400, 403, 404].includes((await statusOf(path))!)]).toEqual([path, true]);
    }
  });
});

it('SERVE_CONSOLE=false: there is no console', async () => {
  for (const path of ['/console', '/console/', '/console/login', `/console/assets/${readdirSync(ASSETS)[0]}`])
    expect((await without.request('GET', path, { headers: PAGE })).status).toBe(404);
});

it('says how to build it where it is not built', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  const server = fastify();
  try {
    await serveConsole(server, { folder });
    const { status, body } = await requestTo(await server.listen({ port: 0, host: '127.0.0.1' }))('GET', '/console/', {
      headers: PAGE,
    });
    expect([status, body]).toEqual([503, expect.stringContaining('npm run build')]);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
});

describe('npm run console:budget', () => {
  const budget = (...folder: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/console-budget.mjs', ...folder], {
      cwd: join(__dirname, '../..'),
      encoding: 'utf8',
    });
    return { status, words: stdout + stderr };
  };

  /** Bytes that cannot be compressed. */
  const bytes = (kilobytes: number, mark = '') => Buffer.concat([Buffer.from(mark), randomBytes(kilobytes * 1_000)]);

  itInAllCases('is kept by the console as it is built', () => {
    expect(budget()).toEqual({ status: 0, words: expect.stringMatching(/^First load: [\d.]+ kB, at most 220 kB$/m) });
  });

  interface Built {
    readonly first?: number;
    readonly style?: number;
    readonly notifications?: number;
    readonly page?: number;
    readonly chart?: number;
    readonly chartStyle?: number;
    /** What is in every chart. */
    readonly mark?: string;
  }

  /** What the script says of a console of files of so many kilobytes, whose page loads a chart. */
  function budgetOf(built: Built) {
    const { first = 1, style = 1, notifications = 1, page = 1, chart = 1, chartStyle = 1, mark = 'recharts-' } = built;
    const folder = mkdtempSync(join(tmpdir(), 'console-'));
    try {
      mkdirSync(join(folder, '.vite'));
      writeFileSync(join(folder, 'first.js'), bytes(first));
      writeFileSync(join(folder, 'style.css'), bytes(style));
      writeFileSync(join(folder, 'notifications.js'), bytes(notifications));
      writeFileSync(join(folder, 'page.js'), bytes(page));
      writeFileSync(join(folder, 'chart.js'), bytes(chart, mark));
      writeFileSync(join(folder, 'chart.css'), bytes(chartStyle));
      const [main, shown, paged] = ['src/main.tsx', 'src/shell/notifications.tsx', 'src/page.tsx'];
      const manifest = {
        [main]: { file: 'first.js', isEntry: true, css: ['style.css'], dynamicImports: [shown, paged] },
        [shown]: { file: 'notifications.js', imports: [main], isDynamicEntry: true },
        [paged]: { file: 'page.js', imports: [main], isDynamicEntry: true, dynamicImports: ['src/chart.tsx'] },
        'src/chart.tsx': { file: 'chart.js', imports: [main, paged], isDynamicEntry: true, css: ['chart.css'] },
      };
      writeFileSync(join(folder, '.vite/manifest.json'), JSON.stringify(manifest));
      return budget(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  it.each<[string, Built, string]>([
    ['scripts and styles that are loaded first', { first: 150, style: 100 }, 'First load'],
    ['the first script and what is loaded at once after it', { first: 150, notifications: 100 }, 'First load'],
    ['charts', { chart: 200 }, 'Charts'],
    ['a chart and its styles', { chart: 80, chartStyle: 80 }, 'Charts'],
  ])('fails when %s are too large', (_what, built, named) => {
    const { status, words } = budgetOf(built);
    expect(status).toBe(1);
    expect(words.split('\n').filter((line) => line.includes('too large'))).toEqual([
      expect.stringMatching(`^${named}`),
    ]);
  });

  it('counts with a chart neither what is loaded first, nor what its page has loaded', () => {
    const words = expect.stringMatching(/^Charts, more: 2[.]\d kB/m);
    expect(budgetOf({ first: 150, page: 200 })).toEqual({ status: 0, words });
  });

  it('fails when it finds no chart, in place of counting none', () => {
    expect(budgetOf({ mark: 'renamed-' })).toEqual({ status: 1, words: expect.stringContaining('No chart is loaded') });
  });
});
