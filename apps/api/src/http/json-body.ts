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
/**
 * Arrays, objects and what commas separate in them. The largest order in its longest form has fewer than 1 MiB has room for; a body of
 * nothing but brackets and commas has ten times as many, and parsing it would hold up everybody.
 */
const MOST_VALUES = 65_536;

/** JSON is the only language (decisions.md §2); an empty body is no body. */
export function acceptJsonOnly(server: FastifyInstance, bounds: BodyBounds): void {
  const { maxItemsPerOrder } = bounds;
  server.decorate('bodyBounds', { maxItemsPerOrder });
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (body === '') return done(null, undefined);
    const message = shapeFault(body);
    if (message === null) void parse(request, body, done);
    else done(new Rejected([{ field: '', message }]));
  });
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const [OPENING_BRACKET, OPENING_BRACE] = [0x5b, 0x7b];
const [CLOSING_BRACKET, CLOSING_BRACE] = [0x5d, 0x7d];

/**
 * What is wrong with the shape of a body, counted before anything is built; null when nothing is. Brackets and commas in texts do not
 * count. Text that is no JSON at all is left to the parser.
 */
function shapeFault(json: string): string | null {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfText(json, at);
    else if (code === COMMA) values++;
    else if (code === OPENING_BRACKET || code === OPENING_BRACE) {
      values++;
      if (++depth > MOST_LEVELS) return `The JSON is nested deeper than ${MOST_LEVELS} levels: send a flatter body.`;
    } else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) depth--;
    if (values > MOST_VALUES) return `The JSON has more than ${MOST_VALUES} values: send fewer at once.`;
  }
  return null;
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
