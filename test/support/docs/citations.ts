import { basename } from 'node:path';
import { type Page, pageOf, topicsOf } from './page.js';

/** `decisions.md §9, code 1003`, as it stands in a file. */
export interface Citation {
  readonly line: number;
  /** As it is written: `docs/processing.md`, `decisions.md`. */
  readonly document: string;
  readonly sections: readonly string[];
  /** What follows a comma: it begins with the topic. */
  readonly topic: string | null;
}

/** The line breaks of comments become spaces, so that a citation may run over the end of a line; nothing moves. */
const flattened = (text: string) => text.replace(/\n\s*(?:\*(?!\/)|\/\/|#)?/g, (end) => ' '.repeat(end.length));

const SECTION = String.raw`§\d+(?:[–-]§?\d+)?`;
const CITATION = new RegExp(
  String.raw`(?<![\w/.-])((?:[\w-]+/)*[\w-]+\.md)(?: +(${SECTION}(?:(?:, | and | to )${SECTION})*))?(?:, +(?!(?:[\w-]+/)*[\w-]+\.md)([^();:.]+))?`,
  'g',
);
/** A section without its document: `decisions.md §8; §9 for the problems`. */
const BARE_SECTION = new RegExp(String.raw`(?<!\.md +|§[\d, and to–-]*)${SECTION}`, 'g');
const NEAR = 60;

const numbersIn = (sections: string): string[] =>
  [...sections.matchAll(/(\d+)(?:[–-]§?(\d+))?/g)].flatMap(([, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => String(Number(first) + index)),
  );

const lineAt = (text: string, index: number) => text.slice(0, index).split('\n').length;

/**
 * @param own the page that a section without a document is of; null in code, where the document stands shortly before.
 */
export function citationsIn(text: string, own: string | null): Citation[] {
  const flat = flattened(text);
  const cited = [...flat.matchAll(CITATION)].map(({ index, 0: whole, 1: document, 2: sections, 3: topic }) => ({
    end: index + whole.length,
    line: lineAt(text, index),
    document: document!,
    sections: numbersIn(sections ?? ''),
    topic: topic === undefined ? null : topic.replace(/\s+/g, ' ').trim(),
  }));
  const bare = [...flat.matchAll(BARE_SECTION)].map(({ index, 0: section }) => {
    const before = cited.findLast(({ end }) => end <= index && index - end < NEAR);
    const document = before?.document ?? own ?? '(no document)';
    return { line: lineAt(text, index), document, sections: numbersIn(section), topic: null };
  });
  return [...cited.map(({ end: _end, ...citation }) => citation), ...bare];
}

/** A page of docs/ by its name alone; any other by its path, from the root or from the folder of the file. */
function find(document: string, folder: string): Page | null {
  const places = [document, `${folder}/${document}`, `docs/${basename(document)}`];
  for (const place of document.includes('/') ? places.slice(0, 2) : [places[2]!, document, places[1]!]) {
    const page = pageOf(place);
    if (page) return page;
  }
  return null;
}

/** What is wrong with a citation; null when it leads somewhere. */
export function faultOf({ document, sections, topic }: Citation, folder: string): string | null {
  const page = find(document, folder);
  if (page === null) return `there is no ${document}`;
  const missing = sections.find((section) => !page.sections.has(section));
  if (missing !== undefined) return `${document} has no section ${missing}`;
  if (topic === null) return null;
  const within = sections.length === 0 ? page.text : sections.map((section) => page.sections.get(section)).join('\n');
  const words = topic
    .toLowerCase()
    .replace(/["'“”‘’`_*]/g, '')
    .replace(/^code (?=\d)/, '');
  const known = topicsOf(within).some((known) => {
    const name = known.toLowerCase().replace(/["'“”‘’`_]/g, '');
    return words === name || (words.startsWith(name) && /^\W/.test(words.slice(name.length)));
  });
  return known ? null : `${[document, ...sections.map((section) => `§${section}`)].join(' ')} has no "${topic}"`;
}
