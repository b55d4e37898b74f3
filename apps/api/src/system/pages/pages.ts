import type { FastifyInstance } from 'fastify';
import { anchorOf, explained, PROBLEM_KINDS } from '../../http/problems/problem.js';
import { exampleOf } from '../openapi/errors.js';
import type { DocsSite } from './docs-site.js';
import { page } from './page.js';

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/`([^`]*)`/g, '<code>$1</code>');

function errorsPage(): string {
  const sections = PROBLEM_KINDS.map((kind) => {
    const { status, title, meaning, remedy } = explained(kind);
    const heading = `<h2 id="${anchorOf(kind)}">${status} ${title}</h2>`;
    const example = `<pre>${escaped(JSON.stringify(exampleOf(kind), null, 2))}</pre>`;
    return `${heading}<p>${escaped(meaning)}</p><p>${escaped(remedy)}</p>${example}`;
  });
  return page('Errors', `<h1>Errors</h1>${sections.join('')}`);
}

/**
 * `/` redirects to the documentation; a problem's `type` links to /docs/errors, which the docs site has as a page of
 * its own.
 */
export function servePages(server: FastifyInstance, site: DocsSite): void {
  const errors = errorsPage();
  server.get('/', (_request, reply) => reply.redirect('/docs'));
  server.get('/docs/errors', (_request, reply) => {
    const better = site.addressOf('errors');
    return better === null ? reply.type('text/html; charset=utf-8').send(errors) : reply.redirect(better);
  });
}
