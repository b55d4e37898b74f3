import { fileOf, placeOf } from './places.mjs';

/**
 * Pages link to each other as files of the repository. A link to a file that the site does not have becomes plain
 * words.
 */
export function linksOfRepository(md) {
  md.core.ruler.push('links-of-repository', ({ tokens, env }) => {
    const file = fileOf(env.relativePath);
    for (const { children } of tokens) {
      if (children) leadAway(children, file);
    }
  });
}

function leadAway(tokens, file) {
  let isDropped = false;
  for (const token of tokens) {
    if (token.type === 'image') token.attrSet('src', pictureOf(file, token.attrGet('src')));
    if (token.type === 'link_open') {
      const place = placeOf(file, token.attrGet('href'));
      isDropped = place === null;
      if (!isDropped) token.attrSet('href', place);
    }
    if (isDropped && (token.type === 'link_open' || token.type === 'link_close')) {
      isDropped = token.type === 'link_open';
      Object.assign(token, { type: 'text', tag: '', nesting: 0, content: '' });
    }
  }
}

/** Pictures are bundled, so they are named by their file beside the page. */
const pictureOf = (file, source) => placeOf(file, source).replace(/^\/pictures\//, './pictures/');
