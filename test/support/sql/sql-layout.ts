export const WIDTH = 120;

/** Where a line begins when a statement does not fit on one. */
const CLAUSES =
  /^(WITH|SELECT|FROM|WHERE|GROUP BY|ORDER BY|LIMIT|OFFSET|WINDOW|HAVING|RETURNING|VALUES|SET|UNION ALL|ON CONFLICT|INSERT INTO|UPDATE|DELETE FROM|FOR (?:NO KEY )?UPDATE|FOR (?:KEY )?SHARE|(?:LEFT |CROSS )?JOIN)\b/;
const CONDITIONS = /^(AND|OR|WHEN|ELSE|END)\b/;
/** Words behind which the next one is no clause, and no condition, of its own. */
const JOINED = /\b(BETWEEN \S+|FOR NO KEY|FOR|DO|KEY|LEFT|CROSS|DISTINCT|CONFLICT .*)$/;
/** Its own commas separate whole queries. */
const QUERIES = /^WITH\b/;

type Part = string | readonly Part[];

/**
 * A statement's text in lines, the same for the same statement however the code breaks its own: only words and their
 * order count.
 */
export const layOut = (sql: string): string => `${inLines(sql)};`;

/** The same of SQL that is no whole statement. */
export const inLines = (sql: string): string => lines(parse(sql), '').join('\n');

export const inOneLine = (sql: string): string => flat(parse(sql));

/** Words, commas, and what stands in parentheses. */
function parse(sql: string): Part[] {
  const words = sql.match(/'(?:[^']|'')*'|"[^"]*"|[(),]|[^\s(),'"]+|\s+/g) ?? [];
  const open: Part[][] = [[]];
  for (const word of words) {
    if (word === '(') open.push([]);
    else if (word === ')') {
      const inner = open.pop()!;
      open.at(-1)!.push(inner);
    } else open.at(-1)!.push(/^\s+$/.test(word) ? ' ' : word);
  }
  return open[0]!;
}

const flat = (parts: readonly Part[]): string =>
  parts
    .map((part) => (typeof part === 'string' ? part : `(${flat(part)})`))
    .join('')
    .trim();

function lines(parts: readonly Part[], indent: string): string[] {
  const whole = flat(parts);
  if (indent.length + whole.length <= WIDTH) return [indent + whole];
  const clauses = before(parts, CLAUSES);
  if (clauses.length > 1) return clauses.flatMap((piece) => lines(piece, indent));
  const items = inPairs(behindCommas(parts));
  if (items.length > 1) return inside(items, indent, CLAUSES.test(whole) && !QUERIES.test(whole));
  const conditions = before(parts, CONDITIONS);
  if (conditions.length > 1) return inside(conditions, indent, true);
  return opened(parts, indent);
}

const inside = ([first, ...others]: readonly Part[][], indent: string, isDeeper: boolean): string[] => [
  ...lines(first!, indent),
  ...others.flatMap((piece) => lines(piece, isDeeper ? `${indent}  ` : indent)),
];

function before(parts: readonly Part[], words: RegExp): Part[][] {
  const pieces: Part[][] = [[]];
  parts.forEach((part, index) => {
    const [past, rest] = [flat(pieces.at(-1)!), flat(parts.slice(index, index + 8))];
    const begins = typeof part === 'string' && part !== ' ' && words.test(rest) && !JOINED.test(past);
    if (begins && past !== '') pieces.push([]);
    pieces.at(-1)!.push(part);
  });
  return pieces;
}

function behindCommas(parts: readonly Part[]): Part[][] {
  const pieces: Part[][] = [[]];
  for (const part of parts) {
    if (part !== ' ' || pieces.at(-1)!.length > 0) pieces.at(-1)!.push(part);
    if (part === ',') pieces.push([]);
  }
  return pieces.filter((piece) => piece.length > 0);
}

/** Names and values of an object stay together. */
function inPairs(pieces: Part[][]): Part[][] {
  const names = pieces.filter((_, index) => index % 2 === 0);
  if (pieces.length < 4 || !names.every((name) => /^'\w+',$/.test(flat(name)))) return pieces;
  return names.map((name, index) => [...name, ' ', ...(pieces[index * 2 + 1] ?? [])]);
}

/** Opens the longest parentheses. */
function opened(parts: readonly Part[], indent: string): string[] {
  const groups = parts.filter((part) => typeof part !== 'string');
  const longest = groups.toSorted((one, other) => flat(other).length - flat(one).length)[0];
  if (longest === undefined) return [indent + flat(parts)];
  const at = parts.indexOf(longest);
  const [left, right] = [flat([...parts.slice(0, at), '(']), parts.slice(at + 1)];
  const closing = indent + flat([')', ...right]);
  return [
    indent + left,
    ...lines(longest, `${indent}  `),
    ...(closing.length <= WIDTH ? [closing] : [`${indent})`, ...lines(right, indent)]),
  ];
}
