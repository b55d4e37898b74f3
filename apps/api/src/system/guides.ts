import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { Marked } from 'marked';
import { packageRoot } from '#libs/config';
import { anchorOfHeading, page } from './page.js';

/** The page `errors` is made from the table of problems (pages.ts). */
const ERRORS = 'errors';
const PICTURES = 'pictures';

/** The pages of docs/ by name, and the README, which they link to. Empty when only the code was deployed. */
function pageFiles(): ReadonlyMap<string, string> {
  const folder = join(packageRoot(), 'docs');
  if (!existsSync(folder)) return new Map();
  const names = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== `${ERRORS}.md`);
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
  const [, name, anchor = ''] = /([^/]+)\.md(#.*)?$/.exec(href) ?? [];
  return name !== undefined && served.has(name) ? name + anchor : null;
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

function markdown(served: ReadonlySet<string>, pictures: ReadonlyMap<string, string>): Marked {
  return new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchorOfHeading(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
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

/** The pages of docs/ at /docs/<name>, with their pictures, so that the OpenAPI document can link to them. */
export function serveGuides(server: FastifyInstance): void {
  const files = pageFiles();
  const pictures = pictureFiles();
  const marked = markdown(new Set([...files.keys(), ERRORS]), pictures);
  const pageOf = (text: string) =>
    page(/^# (.+)$/m.exec(text)?.[1] ?? 'Documentation', marked.parse(text, { async: false }));
  for (const [name, file] of files) {
    let rendered: string | undefined;
    server.get(`/docs/${name}`, (_request, reply) => {
      rendered ??= pageOf(readFileSync(file, 'utf8'));
      return reply.type('text/html; charset=utf-8').send(rendered);
    });
  }
  for (const [name, file] of pictures) {
    server.get(`/docs/${PICTURES}/${name}`, (_request, reply) => reply.type('image/png').send(readFileSync(file)));
  }
}
