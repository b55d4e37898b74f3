import { createHash } from 'node:crypto';
import { renderMermaidSVG } from 'beautiful-mermaid';

/** Its own styles would load a font from another host; those of the theme (theme/diagrams.css) take their place. */
const OWN_STYLES = /<style>[\s\S]*?<\/style>\s*/;
const OWN_COLOURS = / style="--bg:[^"]*"/;

/**
 * Of a mermaid diagram: an SVG that the browser only draws. The ids of its arrowheads are its own, for a page may have
 * several.
 */
function drawn(source, label) {
  const own = createHash('sha256').update(source).digest('hex').slice(0, 8);
  return renderMermaidSVG(source)
    .replace(OWN_STYLES, '')
    .replace(OWN_COLOURS, '')
    .replace(/<svg /, `<svg role="img" aria-label="${label}" `)
    .replace(/(<marker id="|url\(#)/g, `$1d${own}-`)
    .replace(/\n\s*/g, '\n');
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** The heading that a block stands under. */
function headingBefore(tokens, index) {
  const at = tokens.findLastIndex(({ type }, place) => place < index && type === 'heading_open');
  return at === -1 ? 'Diagram' : `Diagram: ${tokens[at + 1].content}`;
}

/** ```mermaid blocks become pictures when the site is built: no script draws in the browser. */
export function diagrams(md) {
  const other = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info, content } = tokens[index];
    if (info.trim() !== 'mermaid') return other(tokens, index, ...rest);
    const label = escaped(headingBefore(tokens, index));
    return `<div class="diagram" role="group" tabindex="0" aria-label="${label}" v-pre>${drawn(content, label)}</div>\n`;
  };
}
