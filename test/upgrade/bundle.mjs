// Makes API, worker and command line with one migration more (2-next.ts), in the folder that is named: of what the
// compiler has written, and with their packages, as bin/bundle.mjs does.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFileSync } from '@swc/core';
import { rolldown } from 'rolldown';
import { NOT_INSTALLED, OUTSIDE } from '../../bin/outside.mjs';

const dist = process.argv[2];
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');

const MIGRATIONS = join(root, 'build/libs/entities/src/migrations/index.js');
const NEXT = join(here, '2-next.ts');
const load = (file) => {
  if (file === MIGRATIONS) {
    const more = `import { Next1780000000002 } from ${JSON.stringify(NEXT)}; migrations.push(Next1780000000002);`;
    return `${readFileSync(file, 'utf8')}\n${more}`;
  }
  if (file !== NEXT) return null;
  const { code } = transformFileSync(file, {
    swcrc: false,
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
  });
  return { code, moduleType: 'js' };
};
/** Only a process that sends traces loads it. */
const TRACES = /\/sdk\/provider\.js$/;

const programs = ['apps/api/src/main', 'apps/worker/src/main', 'apps/cli/src/main'];
const bundle = await rolldown({
  input: Object.fromEntries(programs.map((program) => [program, join(root, `build/${program}.js`)])),
  platform: 'node',
  external: [...OUTSIDE, ...NOT_INSTALLED, TRACES],
  plugins: [{ name: 'next', load }],
});
// What they share is made once, as deep in the folder as they are.
const names = { entryFileNames: '[name].js', chunkFileNames: 'apps/shared/src/[name]-[hash].js' };
await bundle.write({ dir: dist, ...names, keepNames: true });
