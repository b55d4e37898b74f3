// Makes API, worker and command line of the sources with one migration more (2-next.ts), in the folder that is named.
// Types were checked when the sources were built: without them it takes a second, where the compiler takes ten.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFileSync } from '@swc/core';
import { rolldown } from 'rolldown';

const dist = process.argv[2];
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');

const swc = {
  swcrc: false,
  module: { type: 'es6' },
  jsc: {
    target: 'es2022',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true, dynamicImport: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
};
const NEXT = `
import { Next1780000000002 } from ${JSON.stringify(join(here, '2-next.ts'))};
migrations.push(Next1780000000002);
`;
const load = (file) => {
  if (!file.endsWith('.ts')) return undefined;
  const { code } = transformFileSync(file, swc);
  return { code: file.endsWith('/migrations/index.ts') ? code + NEXT : code, moduleType: 'js' };
};
/** Node imports JSON with an attribute only, which the sources leave out: it becomes a part of the program. */
const isPackage = (id) => /^[^.#/]/.test(id) && !id.endsWith('.json');

for (const program of ['apps/api/src/main', 'apps/worker/src/main', 'apps/cli/src/main']) {
  const bundle = await rolldown({
    input: { [program]: join(root, `${program}.ts`) },
    platform: 'node',
    resolve: { conditionNames: ['source', 'import', 'node'], extensionAlias: { '.js': ['.ts', '.js'] } },
    external: isPackage,
    plugins: [{ name: 'swc', load }],
  });
  await bundle.write({ dir: dist, entryFileNames: '[name].js', codeSplitting: false, keepNames: true });
}
