import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openApiDocument } from '../apps/api/src/system/openapi/openapi.js';
import { bareEnvironment } from './cli/run.js';
import { ALL_CASES } from './support/all-cases.js';
import { useApi } from './support/api.js';
import { useDatabase } from './support/database.js';

const ROOT = join(__dirname, '..');
const run = promisify(execFile);
/** The worker's is looked at with its other options as well (test/start/processes.test.ts). */
const PROGRAMS = ALL_CASES ? ['cli', 'api', 'worker'] : ['cli', 'api'];
const api = useApi(useDatabase());

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const { version } = JSON.parse(textOf('package.json')) as { version: string };

async function saidBy(app: string): Promise<string> {
  const main = join(ROOT, `dist/apps/${app}/src/main.js`);
  return (await run(process.execPath, [main, '--version'], { env: bareEnvironment() })).stdout.trim();
}

it('is one: of the package, every program, the OpenAPI document and the changelog', async () => {
  const lock = JSON.parse(textOf('package-lock.json')) as { version: string; packages: { '': { version: string } } };
  const { info } = openApiDocument(api.app) as { info: { version: string } };
  const versions = Object.fromEntries(
    await Promise.all(PROGRAMS.map(async (app) => [app, await saidBy(app)] as const)),
  );
  // The newest one in the changelog: of a release, or named as the one to come.
  const changelog = /^(?:Version |## \[?)(\d+\.\d+\.\d+)/m.exec(textOf('CHANGELOG.md'))?.[1];
  expect({
    lock: lock.version,
    lockOfPackage: lock.packages[''].version,
    document: info.version,
    versions,
    changelog,
  }).toEqual({
    lock: version,
    lockOfPackage: version,
    document: version,
    versions: Object.fromEntries(PROGRAMS.map((app) => [app, version])),
    changelog: version,
  });
});
