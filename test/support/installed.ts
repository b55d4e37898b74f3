import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bareEnvironment } from '../cli/run.js';

const ROOT = join(__dirname, '../..');
const run = promisify(execFile);

/** How npm reaches its registry on this machine. */
const WAY =
  /^(npm_config_(registry|cache|userconfig|cafile|(https?_)?proxy)|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(https?|no)_proxy)$/i;

/** For processes that npm starts, or that are npm. Nothing else of the tester's settings is in it. */
export function npmEnvironment(): Record<string, string> {
  const way = Object.entries(process.env).filter(([name, value]) => WAY.test(name) && value !== undefined);
  return { ...bareEnvironment(), ...(Object.fromEntries(way) as Record<string, string>) };
}

export interface Installed {
  /** Where a user installed the package. */
  readonly folder: string;
  /** The package in it. */
  readonly packageFolder: string;
  /** The paths in the packed file. */
  readonly files: readonly string[];
  /** Of the packed file. */
  readonly bytes: number;
}

/** Packs what is built, and installs it in an empty folder, as a user does with a release. */
export async function installPacked(): Promise<Installed> {
  const root = mkdtempSync(join(tmpdir(), 'packed-'));
  chmodSync(root, 0o755);
  const folder = join(root, 'empty');
  mkdirSync(folder);
  const env = npmEnvironment();
  await run(process.execPath, ['bin/package.mjs'], { cwd: ROOT, env });
  const pack = ['pack', './dist/package', '--json', '--pack-destination', root];
  const packed = await run('npm', pack, { cwd: ROOT, env, maxBuffer: 16 << 20 });
  const [about] = JSON.parse(packed.stdout) as { filename: string; size: number; files: { path: string }[] }[];
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', join(root, about!.filename)];
  await run('npm', install, { cwd: folder, env });
  return {
    folder,
    packageFolder: join(folder, 'node_modules/scheduled-orders'),
    files: about!.files.map(({ path }) => path),
    bytes: about!.size,
  };
}
