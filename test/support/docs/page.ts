import { existsSync, readFileSync } from 'node:fs';

/** A page of the documentation, as citations and links refer to it. */
export interface Page {
  /** Of `## 9. Processing a due order`: `9`. */
  readonly sections: ReadonlyMap<string, string>;
  readonly text: string;
  readonly anchors: ReadonlySet<string>;
}

const HEADING = /^(#{1,6}) (.+)$/gm;

/** Code in fences has lines that look like headings, and no topics. */
const withoutFences = (text: string) => text.replace(/^ *```[\s\S]*?^ *```$/gm, '');

/** As GitHub makes them: lower case, spaces to hyphens, no punctuation. */
const anchorOf = (heading: string) =>
  plain(heading)
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** Without the marks of links, code and emphasis. */
const plain = (text: string) =>
  text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .trim();

const pages = new Map<string, Page | null>();

/** @returns null where there is no such file. */
export function pageOf(path: string): Page | null {
  if (!pages.has(path)) pages.set(path, existsSync(path) ? read(path) : null);
  return pages.get(path)!;
}

function read(path: string): Page {
  const text = withoutFences(readFileSync(path, 'utf8'));
  const sections = new Map<string, string>();
  for (const part of text.split(/^(?=## )/m)) {
    const number = /^## (\d+)\. /.exec(part)?.[1];
    if (number !== undefined) sections.set(number, part);
  }
  const anchors = [...text.matchAll(HEADING)].map(([, , heading]) => anchorOf(heading!));
  return { sections, text, anchors: new Set([...anchors, ...anchorsOfRules(sections)]) };
}

/** Of `- **Rounding**: …` in section 8: `8-rounding`, as the API and the docs site have it. */
export const anchorsOfRules = (sections: Page['sections']): string[] =>
  [...sections].flatMap(([number, part]) =>
    [...part.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, rule]) => `${number}-${anchorOf(rule!)}`),
  );

/** What a citation may name: headings, words in bold, and what stands in the first column of a table. */
export function topicsOf(text: string): string[] {
  const headings = [...text.matchAll(HEADING)].map(([, , heading]) => heading!.replace(/^\d+\. /, ''));
  const bold = [...text.matchAll(/\*\*(.+?)\*\*/gs)].map(([, words]) => words!.replace(/\s+/g, ' '));
  const cells = [...text.matchAll(/^\| *([^|]+?) *\|/gm)].map(([, cell]) => cell!);
  return [...headings, ...bold, ...cells].map(plain).filter((topic) => /\w/.test(topic));
}
