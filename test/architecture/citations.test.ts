import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { columnOf } from '#libs/entities';
import { citationsIn, faultOf } from '../support/docs/citations.js';
import { anchorsOfRules, pageOf } from '../support/docs/page.js';

const IGNORED = new Set(['node_modules', 'build', 'dist', 'coverage', '.git', '.data', '.stryker-tmp', '.build']);

/** What tools write; `apps/api/src/reports` is ours. */
const REPORTS_OF_TOOLS = 'reports';
const TEXT = /\.(ts|mjs|cjs|js|md|yaml|yml|example|ini)$/;

/** This file's own examples of citations that lead nowhere. */
const OWN = join('test', 'architecture', 'citations.test.ts');

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !IGNORED.has(name) && join(folder, name) !== REPORTS_OF_TOOLS)
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesIn(path) : TEXT.test(entry.name) && path !== OWN ? [path] : [];
    });
}

const files = filesIn('.').map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const pages = files.filter(({ path }) => path.endsWith('.md'));

const LINK = /\]\(([^)\s]+)\)/g;

/** What is wrong with a link of a page; null when it leads somewhere, or out of the repository. */
function linkFault(from: string, target: string): string | null {
  if (/^[a-z]+:/.test(target)) return null;
  const [file, anchor] = target.split('#');
  const path = file === '' ? from : normalize(join(dirname(from), file!));
  if (!existsSync(path)) return `there is no ${path}`;
  if (anchor === undefined || pageOf(path)!.anchors.has(anchor)) return null;
  return `${path} has no heading or rule #${anchor}`;
}

const faultsOf = (path: string, text: string) =>
  citationsIn(text, path.endsWith('decisions.md') ? 'decisions.md' : null).flatMap((citation) => {
    const fault = faultOf(citation, dirname(path));
    return fault === null ? [] : [`${path}:${citation.line}: ${fault}`];
  });

it('every citation leads to a document of the repository, and to the section and topic that it names', () => {
  expect(files.length).toBeGreaterThan(400);
  expect(files.flatMap(({ path, text }) => faultsOf(path, text))).toEqual([]);
});

it('every link between pages leads to a file, and to a heading or a rule of it', () => {
  const faults = pages.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) =>
      [...line.matchAll(LINK)].flatMap(([, target]) => {
        const fault = linkFault(path, target!);
        return fault === null ? [] : [`${path}:${index + 1}: ${fault}`];
      }),
    ),
  );
  expect(faults).toEqual([]);
});

it('every rule of the decisions has an anchor of its own', () => {
  const anchors = anchorsOfRules(pageOf('docs/decisions.md')!.sections);
  expect(anchors.length).toBeGreaterThan(100);
  expect(anchors).toEqual([...new Set(anchors)]);
});

/** `libs/rules`, `test/support/until.ts`: what a page says of where things are. */
const PLACE = /`((?:apps|libs|test|docs|data)\/[\w./-]*\w)`/g;

/** The recipe to add a resource names files that are to be made. */
const TO_BE_MADE = /^(apps\/api\/src\/coupons|test\/api\/coupons\.test\.ts)/;

it('every file and folder that a page names is there', () => {
  const faults = pages.flatMap(({ path, text }) =>
    [...text.matchAll(PLACE)].flatMap(([, place]) =>
      existsSync(place!) || TO_BE_MADE.test(place!) ? [] : [`${path}: there is no ${place}`],
    ),
  );
  expect(faults).toEqual([]);
});

/** `RetryPolicy`, `processing_cycles`: what the glossary says of names in code. */
const NAME = /`(\w+)`/g;
/** `retriesExhausted`, `processing_cycles`, `sites.listens_since_utc`. */
const NAME_OF_VALUE = /`(?:\w+\.)?([a-z]+(?:[A-Z]|_)\w+)`/g;

describe('The glossary', () => {
  const glossary = pages.find(({ path }) => path === join('docs', 'glossary.md'))!;
  const code = files.filter(({ path }) => /^(apps|libs)\/.*\.ts$/.test(path) && !path.endsWith('.test.ts'));
  const wordsIn = (some: typeof files) => new Set(some.flatMap(({ text }) => text.match(/\w+/g) ?? []));

  it('has no name but those of the code and of the contract', () => {
    const names = wordsIn(code);
    expect([...glossary.text.matchAll(NAME)].map(([, name]) => name!).filter((name) => !names.has(name))).toEqual([]);
  });

  it('has no name of a value that the schema does not have, too', () => {
    const schema = wordsIn(code.filter(({ path }) => path.startsWith(join('libs', 'entities', 'src', 'migrations'))));
    const names = [...glossary.text.matchAll(NAME_OF_VALUE)].map(([, name]) => name!);
    const isFunction = (name: string) => code.some(({ text }) => text.includes(`function ${name}(`));
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !isFunction(name) && !schema.has(columnOf(name)))).toEqual([]);
  });
});

describe('a citation', () => {
  it.each([
    ['decisions.md §9', null],
    ['(decisions.md §6 and §7)', null],
    ['decisions.md §2, §6–8', null],
    ['Source: decisions.md §8, Rounding.', null],
    ['decisions.md §9, a database that\n * went back in time), or', null],
    ['decisions.md §9, code 1003. One of', null],
    ['decisions.md §9, 1003 and 1004.', null],
    ['docs/operations.md, New versions: why', null],
    ['decisions.md §8; §9 for the problems', null],
    ['interface.md', 'a.ts:1: there is no interface.md'],
    ['docs/nowhere.md', 'a.ts:1: there is no docs/nowhere.md'],
    ['\n * decisions.md §13', 'a.ts:2: decisions.md has no section 13'],
    ['decisions.md §3–13', 'a.ts:1: decisions.md has no section 13'],
    ['decisions.md §9 and §14', 'a.ts:1: decisions.md has no section 14'],
    ['decisions.md §1, Rounding', 'a.ts:1: decisions.md §1 has no "Rounding"'],
    ['contract.md, Limited', 'a.ts:1: contract.md has no "Limited"'],
    ['may be repeated (§3)', 'a.ts:1: there is no (no document)'],
  ])('%j', (text, fault) => {
    expect(faultsOf('a.ts', text)).toEqual(fault === null ? [] : [fault]);
  });
});
