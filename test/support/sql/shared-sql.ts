import * as events from '#libs/events';
import * as ledger from '#libs/ledger';
import * as records from '#libs/records';
import { inLines, inOneLine, WIDTH } from './sql-layout.js';

/** SQL that many statements have: a function of the code makes it from an alias, or from other pieces of SQL. */
interface SharedSql {
  /** The function by its name in the code, what it makes the SQL from where it is printed, and what it gets besides. */
  readonly name: string;
  readonly values: readonly string[];
  readonly which?: 'all' | 'counted';
  readonly make: (...values: string[]) => string;
}

const isView = (value: unknown): value is records.View =>
  typeof (value as records.View | null | undefined)?.built === 'function';

/** Every view that a library exports. A log has two of them (`LogView`). */
function exportedViews(): (readonly [name: string, view: records.View])[] {
  const exported = [records, events, ledger].flatMap((library) => Object.entries<unknown>({ ...library }));
  const parts = exported.flatMap(([name, value]) =>
    typeof value !== 'object' || value === null || isView(value)
      ? []
      : Object.entries(value).map(([part, inner]): [string, unknown] => [`${name}.${part}`, inner]),
  );
  return [...exported, ...parts].filter((one): one is [string, records.View] => isView(one[1]));
}

/** As `view.ts` names them: the first two are the same, but for a view with ready-made JSON. */
const FORMS = ['json', 'built', 'frame', 'cells'] as const;

const SITE = 'x.site_id';
const REACH = '$1::bigint[]';

/** Views, and which sites a caller reaches. */
const allShared = (): SharedSql[] => [
  ...exportedViews().flatMap(([name, view]) =>
    FORMS.map((form) => ({ name: `${name}.${form}`, values: ['x'], make: (alias: string) => view[form](alias) })),
  ),
  { name: 'isReached', values: [SITE, REACH], make: (site, reach) => records.isReached(site, reach) },
  {
    name: 'isReached',
    values: [SITE, REACH],
    which: 'counted',
    make: (site, reach) => records.isReached(site, reach, 'counted'),
  },
  { name: 'isOfList', values: [SITE, REACH], make: (site, reach) => records.isOfList(site, reach) },
  { name: 'eachSite', values: [REACH], make: (reach) => records.eachSite(reach) },
  { name: 'eachSite', values: [REACH], which: 'all', make: (reach) => records.eachSite(reach, 'all') },
];

/** As the code calls it. */
const callOf = ({ name, which }: SharedSql, values: readonly (string | undefined)[]) =>
  `${name}(${[...values, ...(which === undefined ? [] : [`'${which}'`])].join(', ')})`;

/** Finds the SQL whatever words it is made from: the same one in each place of a value. */
function patternOf({ make, values }: SharedSql): RegExp {
  const met = new Set<string>();
  const escaped = inOneLine(make(...values.map((_, index) => `§${index}`))).replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
  const pattern = escaped.replace(/§(\d)/g, (_, index: string) => {
    if (met.has(index)) return `\\k<v${index}>`;
    met.add(index);
    return `(?<v${index}>[^\\s(),'"]+)`;
  });
  return new RegExp(pattern, 'g');
}

/** Prints shared SQL once: wherever statements have it, its name stands in its place. */
export class SharedPage {
  /** The longest first: it may contain others. */
  private readonly all: readonly (SharedSql & { readonly text: string; readonly pattern: RegExp })[];
  private readonly named = new Set<SharedSql>();

  constructor() {
    const texts = allShared().map((one) => ({ ...one, text: inOneLine(one.make(...one.values)) }));
    this.all = texts
      // What fits on a line stands where it is: `x.json`, for example.
      .filter(({ text }, at) => text.length > WIDTH && texts.findIndex((other) => other.text === text) === at)
      .sort((one, other) => other.text.length - one.text.length)
      .map((one) => ({ ...one, pattern: patternOf(one) }));
  }

  /** SQL in one line, with names in place of what is shared. */
  shorten(sql: string): string {
    return this.withNames(inOneLine(sql), 0);
  }

  /** What has been named so far, and what that contains. */
  print(): readonly string[] {
    const parts = this.all.flatMap((one, at) =>
      this.named.has(one) ? [`-- ${callOf(one, one.values)}\n${inLines(this.withNames(one.text, at + 1))}\n`] : [],
    );
    return parts.sort();
  }

  private withNames(text: string, from: number): string {
    return this.all.slice(from).reduce(
      (shorter, one) =>
        shorter.replace(one.pattern, (...found: unknown[]) => {
          this.named.add(one);
          const made = found.at(-1) as Readonly<Record<string, string>>;
          return callOf(
            one,
            one.values.map((_, index) => made[`v${index}`]),
          );
        }),
      text,
    );
  }
}
