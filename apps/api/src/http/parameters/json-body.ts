import type { FastifyInstance } from 'fastify';
import { Rejected } from '#libs/records';
import type { BodyBounds } from './body.pipe.js';
import { jsonFault } from './json-fault.js';

declare module 'fastify' {
  interface FastifyInstance {
    readonly bodyBounds: BodyBounds;
  }
}

/** Deeper than any resource, and shallow enough for recursive functions (decisions.md §2). */
export const MOST_LEVELS = 32;
/**
 * The most values (arrays, objects and their elements) in a body: twice as many per item as a complete item has, plus a
 * base for small orders. A body of only brackets and commas could have ten times as many, and parsing it would delay
 * everybody.
 */
const mostValues = ({ maxItemsPerOrder }: BodyBounds) => Math.min(Math.max(80 * maxItemsPerOrder, 8_192), 65_536);

/** The size of a body that is parsed within a millisecond. */
const SMALL = 16 * 1024;

/** Only JSON is accepted (decisions.md §2). An empty body counts as no body. */
export function acceptJsonOnly(server: FastifyInstance, bounds: BodyBounds): void {
  const { maxItemsPerOrder } = bounds;
  const most = mostValues(bounds);
  server.decorate('bodyBounds', { maxItemsPerOrder });
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (body === '') return done(null, undefined);
    const message = shapeFault(body, most);
    if (message !== null) return done(new Rejected([{ field: '', message }]));
    const parsed: typeof done = (error, value) => done(error && (notJson(body) ?? error), value);
    // Other requests get their turn between parsing and checking a large body.
    void parse(request, body, body.length > SMALL ? (...given) => void setImmediate(parsed, ...given) : parsed);
  });
}

/** Undefined when the body is JSON and is refused for another reason. */
function notJson(body: string): Rejected | undefined {
  const message = jsonFault(body);
  return message === null ? undefined : new Rejected([{ field: '', message }]);
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const [OPENING_BRACKET, OPENING_BRACE] = [0x5b, 0x7b];
const [CLOSING_BRACKET, CLOSING_BRACE] = [0x5d, 0x7d];

/**
 * What is wrong with the shape of a body; null when nothing is wrong. It counts before anything is parsed. Brackets and
 * commas in texts do not count. Invalid JSON is left to the parser.
 */
function shapeFault(json: string, most: number): string | null {
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
    if (values > most) return `The JSON has more than ${most} values: send fewer at once.`;
  }
  return null;
}

/** The position of the closing quote of the text that begins at `start`. */
function endOfText(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at;
  }
  return json.length;
}
