import { diagrams } from './diagrams.mjs';
import { linksOfRepository } from './links.mjs';

/** Anchors as GitHub makes them, and the pages that the API serves itself: links between pages work everywhere. */
export const anchorOf = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replaceAll(' ', '-');

/**
 * A wide table is moved sideways, also with the keys of a keyboard. The empty corner of a table is the heading of
 * nothing.
 */
function tables(md) {
  md.core.ruler.push('empty-corners', ({ tokens }) => {
    const isEmpty = ({ type }, index) => type === 'th_open' && tokens[index + 1].content === '';
    for (const [index, token] of tokens.entries()) {
      if (isEmpty(token, index)) tokens[index].tag = tokens[index + 2].tag = 'td';
    }
  });
  md.renderer.rules.table_open = () => '<div class="wide" role="group" tabindex="0" aria-label="Table"><table>\n';
  md.renderer.rules.table_close = () => '</table></div>\n';
}

/** A rule under a numbered heading can be linked, too: `## 8. Totals`, `- **Rounding**: …` is `8-rounding`. */
function rules(md) {
  md.core.ruler.push('anchors-of-rules', ({ tokens }) => {
    let section;
    for (const [index, { type, tag }] of tokens.entries()) {
      if (type === 'heading_open' && tag <= 'h2') section = /^(\d+)\. /.exec(tokens[index + 1].content)?.[1];
      if (type !== 'list_item_open' || section === undefined) continue;
      // The item's paragraph, and its text.
      const rule = /^\*\*(.+?)\*\*/.exec(tokens[index + 2].content)?.[1];
      if (rule !== undefined) tokens[index].attrSet('id', `${section}-${anchorOf(rule)}`);
    }
  });
}

/** How VitePress reads the pages. */
export const markdown = {
  theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  anchor: { slugify: anchorOf },
  toc: { slugify: anchorOf },
  headers: { slugify: anchorOf },
  config(md) {
    linksOfRepository(md);
    diagrams(md);
    tables(md);
    rules(md);
  },
};
