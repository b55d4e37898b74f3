import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import * as ledger from '#libs/ledger';
import { Statement } from '#libs/platform';
import { isStatement } from '../support/sql/statements.js';

const ROOT = join(__dirname, '../..');
/** The table; a name of an index or a constraint of it is another word. */
const NAMES = /\bprocessing_cycles\b/;
const LEDGER = 'libs/ledger/src/';
/** The sixth value of a statement, by its number. */
const SIXTH = /\$([6-9]|[1-9]\d)\b/;
/** They say what the table is, and make it. */
const ENTITIES = /^libs\/entities\/src\/(migrations\/|orders\/processing-cycle\.entity\.ts$)/;
const WRITES =
  /\b(UPDATE|INSERT\s+INTO|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE(\s+TABLE)?|LOCK(\s+TABLE)?)\s+(ONLY\s+)?processing_cycles\b/i;
const WRITES_OR_LOCKS = /\b(UPDATE|INSERT|DELETE|MERGE|TRUNCATE|FOR\s+(KEY\s+)?SHARE)\b/i;

interface Source {
  readonly file: string;
  /** What the program says, without comments: those of its strings, and of the parts of its templates, that match. */
  readonly texts: readonly string[];
}

function textsOf(file: string, pattern: RegExp): readonly string[] {
  const text = readFileSync(file, 'utf8');
  if (!pattern.test(text)) return [];
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return texts.filter((one) => pattern.test(one));
}

const sourcesWith = (pattern: RegExp): Source[] =>
  ['apps', 'libs']
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter(({ name }) => /\.(ts|tsx)$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ file: relative(ROOT, file), texts: textsOf(file, pattern) }))
    .filter(({ texts }) => texts.length > 0);

it('No statement has more than five values by their numbers: more are a Batch or NamedValues', () => {
  expect(sourcesWith(SIXTH)).toEqual([]);
});

describe('The table of cycles', () => {
  const sources = sourcesWith(NAMES);
  const [ledgers, others] = [true, false].map((is) => sources.filter(({ file }) => is === file.startsWith(LEDGER)));

  it('is named by the ledger alone, and by the entities: so nothing else reads, writes or locks it', () => {
    expect(others!.map(({ file }) => file).filter((file) => !ENTITIES.test(file))).toEqual([]);
    expect(ledgers!.length).toBeGreaterThan(20);
  });

  it('is written by the ledger alone', () => {
    const writing = (some: readonly Source[]) => some.filter(({ texts }) => texts.some((text) => WRITES.test(text)));
    expect(writing(others!).map(({ file }) => file)).toEqual([]);
    expect(writing(ledgers!).length).toBeGreaterThan(5);
  });
});

describe('The ledger', () => {
  const filter = ledger.ofProblem({ code: 1003 });
  const parameters = { reach: '$1', add: () => '$2' } as never;
  /** What it gives of SQL: a FROM, a condition or a value of a statement that joins cycles with something else. */
  const VIEWS = {
    CONCERNS: ledger.CONCERNS,
    IS_UNCOMPARED: ledger.IS_UNCOMPARED,
    allCyclesSql: ledger.allCyclesSql('o'),
    cycleView: ledger.cycleView.json('c'),
    isOfThisShopSql: ledger.isOfThisShopSql('p', 'h'),
    isOrderedSql: ledger.isOrderedSql('p'),
    differenceView: ledger.differenceView.json('d'),
    endedCyclesSql: ledger.endedCyclesSql('1', 'now()', 'now()'),
    hasUnplacedSql: ledger.hasUnplacedSql('o.id'),
    heldByInBatchSql: ledger.heldByInBatchSql('$1', 'o.id'),
    isFreeSql: ledger.isFreeSql('o'),
    newestCyclesSql: ledger.newestCyclesSql('o', '1', '1'),
    nextAttemptSql: ledger.nextAttemptSql('c'),
    ofProblem: [filter.condition(parameters), JSON.stringify(filter.found!(parameters))].join('\n'),
    openStateSql: ledger.openStateSql('o'),
    pushOrOffSql: ledger.pushOrOffSql({ siteId: '1', scheduledOrderId: '1', cycle: '1', orderId: '1', total: '1' }),
    pushView: ledger.pushView.json('p'),
    pushesOfOrderSql: ledger.pushesOfOrderSql('1'),
    receiverInBatchSql: ledger.receiverInBatchSql('$1', 'o.site_id'),
    storedShopSql: ledger.storedShopSql('s', 'h'),
  };

  /** A resource's, which has SQL in its methods. */
  const isView = (it: unknown) => typeof it === 'object' && it !== null && 'json' in it;

  it('gives functions, and no statement; and what is SQL below the comment that says why', () => {
    const given = Object.entries<unknown>(ledger);
    const statements = given.filter(([, it]) => it instanceof Statement || (typeof it === 'string' && isStatement(it)));
    expect(statements.map(([name]) => name)).toEqual([]);
    const sql = given.filter(
      ([name, it]) => name.endsWith('Sql') || isView(it) || (typeof it === 'string' && /\bSELECT\b/.test(it)),
    );
    expect(Object.keys(VIEWS)).toEqual(expect.arrayContaining(sql.map(([name]) => name)));
    const [, below] = readFileSync(join(ROOT, LEDGER, 'index.ts'), 'utf8').split('What is SQL');
    const exported = [...below!.matchAll(/export \{([^}]*)\}/g)].flatMap(([, names]) => names!.match(/\w+/g));
    expect(exported.sort()).toEqual(Object.keys(VIEWS).sort());
  });

  it.each(Object.entries(VIEWS))('gives in %s what cannot write or lock', (_, sql) => {
    expect(sql).not.toMatch(WRITES_OR_LOCKS);
  });
});
