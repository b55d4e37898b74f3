import { EVENT_TYPES, OUTWARD_TYPES } from './event-types.js';

/** Markdown: the table of types that the page of the event feed has. */
export function eventTable(): string {
  const rows = OUTWARD_TYPES.map((type) => {
    const { about, has, mayHave } = EVENT_TYPES[type];
    const facts = [...has, ...mayHave.map((fact) => `${fact}?`)].map((fact) => `\`${fact}\``).join(' ');
    return [`\`${type}\``, about, facts];
  });
  const all = [['Type', 'Tells', 'Facts that it has'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const [head, ...body] = all.map(line);
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n');
}
