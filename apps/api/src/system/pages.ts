import { STATUS_CODES } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { anchorOf, PROBLEMS } from '../http/problem.js';

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/`([^`]*)`/g, '<code>$1</code>');

function errorsPage(): string {
  const sections = Object.entries(PROBLEMS).map(([status, { meaning, remedy }]) => {
    const heading = `<h2 id="${anchorOf(Number(status))}">${status} ${STATUS_CODES[status]}</h2>`;
    return `${heading}<p>${escaped(meaning)}</p><p>${escaped(remedy)}</p>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Errors</title><h1>Errors</h1>${sections.join('')}</html>`;
}

/** `/` leads to the documentation; /docs/errors is where a problem's `type` points. */
export function servePages(server: FastifyInstance): void {
  const page = errorsPage();
  server.get('/', (_request, reply) => reply.redirect('/docs'));
  server.get('/docs/errors', (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
}
