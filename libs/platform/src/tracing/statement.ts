import type { Operation } from './tracing.js';

/** Longer texts are cut: the beginning shows which statement it is. */
const LONGEST_TEXT = 1_500;
/** Texts that are put together for a request may be many. */
const MOST_KNOWN = 1_000;
const MOST_TABLES = 5;

const known = new Map<string, Operation>();

/**
 * A statement as an operation: its text without values, and a name such as `SELECT products` (database spans of
 * OpenTelemetry).
 */
export function statementOperation(text: string): Operation {
  const before = known.get(text);
  if (before !== undefined) return before;
  const summary = summaryOf(text);
  const operation: Operation = {
    name: summary,
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.query.summary': summary, 'db.query.text': shortened(text) },
  };
  if (known.size < MOST_KNOWN) known.set(text, operation);
  return operation;
}

const LITERAL = /'(?:[^']|'')*'/g;

/**
 * Values are parameters, so that literals are constants of ours. Should one ever be put into a text, it stays here all
 * the same.
 */
const shortened = (text: string): string =>
  text.replace(LITERAL, `'?'`).replace(/\s+/g, ' ').trim().slice(0, LONGEST_TEXT);

/** What a parenthesis follows is a function, except after INTO. */
const TABLE = /\b(?:INTO\s+([a-z_]\w*)|(?:FROM|JOIN|UPDATE)\s+(?:ONLY\s+)?([a-z_]\w*)\b(?!\s*\())/gi;
const WITH_NAME = /\b([a-z_][a-z_0-9]*)\s+AS\s+(?:NOT\s+)?(?:MATERIALIZED\s+)?\(/gi;
const NO_TABLES = new Set(['of', 'skip', 'set', 'select', 'lateral', 'unnest']);

function summaryOf(text: string): string {
  const plain = text.replace(LITERAL, `'?'`).replace(/\bFOR\s+(NO\s+KEY\s+)?UPDATE\b/gi, '');
  const first = /^\s*(\w+(?:\s+TRANSACTION)?)/.exec(plain)?.[1]?.toUpperCase() ?? 'SQL';
  const verb = first === 'WITH' ? (/\b(DELETE|INSERT|UPDATE)\b/i.exec(plain)?.[1]?.toUpperCase() ?? 'SELECT') : first;
  const own = new Set([...plain.matchAll(WITH_NAME)].map(([, name]) => name!.toLowerCase()));
  const tables = new Set([...plain.matchAll(TABLE)].map(([, into, from]) => (into ?? from)!.toLowerCase()));
  const named = [...tables].filter((name) => !own.has(name) && !NO_TABLES.has(name)).slice(0, MOST_TABLES);
  return [verb, ...named].join(' ');
}
