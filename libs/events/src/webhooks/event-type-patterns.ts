import { OUTWARD_TYPES, typesMatching } from '../outbox/index.js';

const prefixes: ReadonlySet<string> = new Set(OUTWARD_TYPES.map((type) => `${type.split('.')[0]!}.*`));

const LONGEST_SHOWN = 60;

/** What is wrong with an element of `EventTypes`, as a sentence; null when it is a type, or a prefix with `.*`. */
export function patternFault(pattern: string): string | null {
  if (typesMatching(pattern).length > 0) return null;
  const known = [...prefixes].join(', ');
  return `"${pattern.slice(0, LONGEST_SHOWN)}" is no type of event: name one of those that docs/events.md lists, or a prefix (${known}).`;
}
