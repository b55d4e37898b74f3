import type { FastifyInstance } from 'fastify';
import { Rejected } from '#libs/records';
import type { BodyBounds } from './body.js';

declare module 'fastify' {
  interface FastifyInstance {
    readonly bodyBounds: BodyBounds;
  }
}

/** Deeper than any resource, and shallow enough for whatever walks a body by calling itself (decisions.md §2). */
export const MOST_LEVELS = 32;

/** JSON is the only language (decisions.md §2); an empty body is no body. */
export function acceptJsonOnly(server: FastifyInstance, bounds: BodyBounds): void {
  const { maxItemsPerOrder } = bounds;
  server.decorate('bodyBounds', { maxItemsPerOrder });
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (body === '') done(null, undefined);
    else if (isTooDeep(body)) done(tooDeep());
    else void parse(request, body, done);
  });
}

function tooDeep(): Rejected {
  const message = `The JSON is nested deeper than ${MOST_LEVELS} levels: send a flatter body.`;
  return new Rejected([{ field: '', message }]);
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Brackets outside of texts, counted before anything is built. Text that is no JSON at all is left to the parser. */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfText(json, at);
    else if (OPENING.has(code) && ++depth > MOST_LEVELS) return true;
    else if (CLOSING.has(code)) depth--;
  }
  return false;
}

/** Where the text that begins at `start` has its closing quote. */
function endOfText(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at;
  }
  return json.length;
}
