/** A block of code of a page. */
export interface Block {
  readonly language: string;
  readonly text: string;
  readonly line: number;
  /** What the page says in front of it of why no test runs it; null where one does. */
  readonly notRunBecause: string | null;
}

const FENCE = /^( *)```(\w+)\n([\s\S]*?)^\1```$/gm;
/** The comment in front of a block. */
const NOT_RUN = /<!-- Untested: (.+?) -->\n\s*$/;
/** The same for a whole page, at its beginning. */
const NONE_RUN = /^<!-- No command of this page is run by a test as it stands: (.+?) -->$/m;

/** All blocks of a page that name their language; those in lists, too. */
export const allBlocks = (page: string): Block[] =>
  [...page.matchAll(FENCE)].map(({ index, 1: indent, 2: language, 3: text }) => ({
    language: language!,
    text: text!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    line: page.slice(0, index).split('\n').length,
    notRunBecause: (NONE_RUN.exec(page) ?? NOT_RUN.exec(page.slice(0, index)))?.[1] ?? null,
  }));

/** The blocks of a language that a test is to run. */
export const blocksOf = (page: string, wanted: string): string[] =>
  allBlocks(page)
    .filter(({ language, notRunBecause }) => language === wanted && notRunBecause === null)
    .map(({ text }) => text);
