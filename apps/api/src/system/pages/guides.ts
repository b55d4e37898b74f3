import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Marked } from 'marked';
import { packageRoot } from '#libs/platform';
import type { DocsSite } from './docs-site.js';
import { anchorOfHeading, page } from './page.js';

/** The page `errors` is made from the table of problems (pages.ts). */
const ERRORS = 'errors';
const PICTURES = 'pictures';

/** The front page of the docs site is made for it alone. */
const FRONT_PAGE = 'index.md';

/** The pages of docs/ by name, and the README, which they link to. Empty when only the code was deployed. */
function pageFiles(): ReadonlyMap<string, string> {
  const folder = join(packageRoot(), 'docs');
  if (!existsSync(folder)) return new Map();
  const names = readdirSync(folder).filter(
    (name) => name.endsWith('.md') && name !== `${ERRORS}.md` && name !== FRONT_PAGE,
  );
  const files = names.map((name) => [basename(name, '.md'), join(folder, name)] as const);
  return new Map([...files, ['README', join(packageRoot(), 'README.md')]]);
}

/** The pictures of docs/ by name. */
function pictureFiles(): ReadonlyMap<string, string> {
  const folder = join(packageRoot(), 'docs', PICTURES);
  if (!existsSync(folder)) return new Map();
  const names = readdirSync(folder).filter((name) => name.endsWith('.png'));
  return new Map(names.map((name) => [name, join(folder, name)]));
}

/** The target of a page's link when the pages are served; null when the target is not served. */
function servedLink(href: string, served: ReadonlySet<string>): string | null {
  if (/^(?:https?:|#)/.test(href)) return href;
  const [, name, anchor = ''] = /^(?:docs\/|\.\.\/)?([^/]+)\.md(#.*)?$/.exec(href) ?? [];
  return name !== undefined && served.has(name) ? name + anchor : null;
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** A rule under a numbered heading can be linked, too: `## 8. Totals`, `- **Rounding**: …` is `8-rounding`. */
function markdown(served: ReadonlySet<string>, pictures: ReadonlyMap<string, string>): Marked {
  let section: string | undefined;
  return new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        if (depth <= 2) section = /^(\d+)\. /.exec(text)?.[1];
        return `<h${depth} id="${anchorOfHeading(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      listitem({ tokens, text }) {
        const rule = section === undefined ? undefined : /^\*\*(.+?)\*\*/.exec(text)?.[1];
        const id = rule === undefined ? '' : ` id="${section}-${anchorOfHeading(rule)}"`;
        return `<li${id}>${this.parser.parse(tokens)}</li>\n`;
      },
      image({ href, text }) {
        const name = basename(href);
        return pictures.has(name)
          ? `<img src="${PICTURES}/${name}" alt="${escaped(text)}" style="max-width: 100%">`
          : '';
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const target = servedLink(href, served);
        return target === null ? words : `<a href="${target}">${words}</a>`;
      },
    },
  });
}

const HTML = 'text/html; charset=utf-8';

const titleOf = (text: string, name: string) => /^# (.+)$/m.exec(text)?.[1] ?? name;

/** In place of the docs site: what it lacks, and the pages as they are. */
function listOfPages(files: ReadonlyMap<string, string>): string {
  const links = [...files].map(
    ([name, file]) => `<li><a href="/docs/${name}">${titleOf(readFileSync(file, 'utf8'), name)}</a>`,
  );
  const missing =
    '<p>The docs site is not built: run <code>npm run docs</code>, then load this page again. It has a search, diagrams and the API reference. ' +
    'Until then, these are its pages.</p>';
  return page('Guides', `<h1>Guides</h1>${missing}<ul>${links.join('\n')}</ul>`);
}

/**
 * The docs site at /docs/guides/. Where it is not built, the pages of docs/ as they are at /docs/<name>; where it is,
 * these lead to it.
 */
export async function serveGuides(server: FastifyInstance, site: DocsSite): Promise<void> {
  const files = pageFiles();
  servePlainPages(server, site, files);
  servePictures(server);
  await site.serve(server, (name, reply) => {
    if (name === '') return reply.type(HTML).send(listOfPages(files));
    if (files.has(name) || name === ERRORS) return reply.redirect(`/docs/${name}`);
    reply.callNotFound();
    return reply;
  });
}

function servePlainPages(server: FastifyInstance, site: DocsSite, files: ReadonlyMap<string, string>): void {
  const marked = markdown(new Set([...files.keys(), ERRORS]), pictureFiles());
  const pageOf = (text: string) => page(titleOf(text, 'Documentation'), marked.parse(text, { async: false }));
  for (const [name, file] of files) {
    let rendered: string | undefined;
    server.get(`/docs/${name}`, (_request, reply): FastifyReply => {
      const better = site.addressOf(name);
      if (better !== null) return reply.redirect(better);
      rendered ??= pageOf(readFileSync(file, 'utf8'));
      return reply.type(HTML).send(rendered);
    });
  }
}

function servePictures(server: FastifyInstance): void {
  for (const [name, file] of pictureFiles()) {
    server.get(`/docs/${PICTURES}/${name}`, (_request, reply) => reply.type('image/png').send(readFileSync(file)));
  }
}
