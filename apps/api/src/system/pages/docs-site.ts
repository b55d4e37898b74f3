import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { packageRoot } from '#libs/platform';

const ROOT = '/docs/guides';
const PREFIX = `${ROOT}/`;
const NAME = /^[\w-]+(?:\/[\w-]+)*$/;

/** Files beside the pages. All others are in assets/. */
const TYPES: Readonly<Record<string, string>> = { 'icon.svg': 'image/svg+xml', 'vp-icons.css': 'text/css' };

/** Pages of docs/ that have another name in the site. */
const OTHER_NAMES: Readonly<Record<string, string>> = { README: 'quick-start' };

const INLINE_SCRIPT = /<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g;

/**
 * VitePress switches transitions off while it changes between light and dark, with this very style
 * (test/browser/docs-site.test.ts finds a new one).
 */
const STYLE_OF_THEME = 'sha256-skqujXORqzxt1aE0NNXxujEanPTX6raoqSscTV/Ww/Y=';

/**
 * The files of the site, and of scripts in the page exactly those that were built. The page's styles may stand in
 * attributes: the colours of code do; an attribute runs nothing.
 */
function policyOf(page: string): string {
  const hashes = [...page.matchAll(INLINE_SCRIPT)].map(
    ([, script]) => `'sha256-${createHash('sha256').update(script!).digest('base64')}'`,
  );
  return [
    `default-src 'none'`,
    `script-src ${[`'self'`, ...new Set(hashes)].join(' ')}`,
    `style-src 'self' '${STYLE_OF_THEME}'`,
    `style-src-attr 'unsafe-inline'`,
    `connect-src 'self'`,
    `img-src 'self' data:`,
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
}

/** The docs site, if `npm run docs` has built it. */
export class DocsSite {
  constructor(private readonly folder = join(packageRoot(), 'dist', 'docs')) {}

  /** Asked each time, for it may be built while the API runs. */
  get isBuilt(): boolean {
    return existsSync(join(this.folder, 'index.html'));
  }

  /** Where the site has a page of docs/; null where it has none. */
  addressOf(page: string): string | null {
    const name = OTHER_NAMES[page] ?? page;
    return existsSync(join(this.folder, `${name}.html`)) ? PREFIX + name : null;
  }

  /** Serves the site at /docs/guides/, or `instead` while it is not built. */
  async serve(server: FastifyInstance, instead: (page: string, reply: FastifyReply) => FastifyReply): Promise<void> {
    const { folder } = this;
    const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const path = request.url.split('?')[0]!;
      const name = path.slice(PREFIX.length);
      if (!this.isBuilt) return instead(name, reply);
      if (!path.startsWith(PREFIX)) return reply.redirect(PREFIX);
      const type = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
      if (type !== undefined) return reply.type(type).send(await readFile(join(folder, name)));
      return this.sendPage(name === '' ? 'index' : name, reply);
    };
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
    });
    server.get(ROOT, answer);
    server.get(`${PREFIX}*`, answer);
  }

  private async sendPage(name: string, reply: FastifyReply): Promise<FastifyReply> {
    const read = (file: string) => readFile(join(this.folder, `${file}.html`), 'utf8');
    const found = NAME.test(name) ? await read(name).catch(() => null) : null;
    const page = found ?? (await read('404'));
    return reply
      .status(found === null ? 404 : 200)
      .header('content-security-policy', policyOf(page))
      .header('x-frame-options', 'DENY')
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page);
  }
}
