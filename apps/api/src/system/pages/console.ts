import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type DemoLogin, packageRoot } from '#libs/platform';
import { page } from './page.js';

const PREFIX = '/console/';
/** What Vite writes in place of a nonce (apps/console/vite.config.ts). */
const NONCE_PLACE = /__CSP_NONCE__/g;
const DEMO_PLACE = 'name="demo-login" content=""';

/** Its own files alone; and styles that carry the nonce of this very page. */
const policy = (nonce: string) =>
  [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `connect-src 'self'`,
    `img-src 'self' data: https:`,
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
  ].join('; ');

const NOT_BUILT = page(
  'The console is not built',
  '<h1>The console is not built</h1><p>Its files are missing: run <code>npm run build</code>, then load this page again. ' +
    'The setting <code>SERVE_CONSOLE=false</code> switches the console off.</p>',
);

export interface ConsoleOptions {
  /** Prefills the log-in page. */
  readonly demoLogin?: DemoLogin | undefined;
  /** Where the built console is. */
  readonly folder?: string;
}

const attribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

function sendPage(reply: FastifyReply, nonce: string, body: string): FastifyReply {
  return reply
    .header('content-security-policy', policy(nonce))
    .header('x-frame-options', 'DENY')
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(body);
}

/**
 * Every address below /console/ is a page of the console, which reads it. Whoever does not ask for a page has mistyped
 * the name of a file.
 */
const wantsPage = ({ headers }: FastifyRequest) => headers.accept?.includes('text/html') === true;

/** The console of the browser at /console/. It is only files: what it shows, it asks the API for. */
export async function serveConsole(server: FastifyInstance, options: ConsoleOptions = {}): Promise<void> {
  const { demoLogin, folder = join(packageRoot(), 'dist', 'console') } = options;
  const demo = demoLogin === undefined ? '' : attribute(JSON.stringify(demoLogin));

  async function sendIndex(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const [path = '', query] = request.url.split('?');
    if (!path.startsWith(PREFIX)) return reply.redirect(query === undefined ? PREFIX : `${PREFIX}?${query}`);
    if (!wantsPage(request)) {
      reply.callNotFound();
      return reply;
    }
    const nonce = randomBytes(18).toString('base64');
    // Read each time, for it may be built again while the API runs.
    const index = await readFile(join(folder, 'index.html'), 'utf8').catch(() => null);
    if (index === null)
      return sendPage(reply.status(503), nonce, NOT_BUILT.replace('<style>', `<style nonce="${nonce}">`));
    const filled = index.replace(NONCE_PLACE, nonce).replace(DEMO_PLACE, `name="demo-login" content="${demo}"`);
    return sendPage(reply, nonce, filled);
  }

  // The name of a file follows from what is in it, so no copy of one is ever outdated.
  await server.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: `${PREFIX}assets/`,
    decorateReply: false,
    suppressWarning: true,
    index: false,
    dotfiles: 'ignore',
    immutable: true,
    maxAge: '1y',
    preCompressed: true,
  });
  server.get('/console', sendIndex);
  server.get(`${PREFIX}*`, sendIndex);
}
