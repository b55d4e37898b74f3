import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCH, fileOfLib, mainOf, PRODUCT } from '../harness/product.mjs';

/** Compiles the peer that needs decorators, with the product's own compiler. */
function buildExpress() {
  const tsc = join(PRODUCT, 'node_modules', '@typescript', 'native', 'bin', 'tsc');
  const project = ['-p', join(BENCH, 'http', 'express', 'tsconfig.json')];
  const { status, stdout } = spawnSync(process.execPath, [tsc, ...project], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The Express peer does not compile: ${stdout}`);
  return join(BENCH, '.build', 'express', 'main.js');
}

/** The three servers: how each is started. All have 20 database connections. */
export function serversFor(url, scratch, tapes) {
  const tapesFile = join(scratch, 'tapes.json');
  writeFileSync(tapesFile, JSON.stringify(tapes));
  return {
    product: { main: mainOf('api'), options: { url, env: { RATE_LIMIT_PER_SECOND: '0' } } },
    'raw Fastify': { main: join(BENCH, 'http', 'raw-server.mjs'), options: { url, env: { BENCH_TAPES: tapesFile } } },
    'Nest on Express': { main: buildExpress(), options: { url, env: { BENCH_RULES: fileOfLib('rules') } } },
  };
}
