// Makes the API, the worker and the command line of another version of its sources, in the folder that is named. Its types were checked when it was released: without
// them it takes a second, where the compiler takes ten.
import { join } from 'node:path';
import { transformFileSync } from '@swc/core';
import { rolldown } from 'rolldown';

const folder = process.argv[2];

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
const load = (file) =>
  file.endsWith('.ts') ? { code: transformFileSync(file, swc).code, moduleType: 'js' } : undefined;
/** Node imports JSON with an attribute only, which the sources leave out: it becomes a part of the program. */
const isPackage = (id) => /^[^.#/]/.test(id) && !id.endsWith('.json');

for (const program of ['apps/api/src/main', 'apps/worker/src/main', 'apps/cli/src/main']) {
  const bundle = await rolldown({
    input: { [program]: join(folder, `${program}.ts`) },
    platform: 'node',
    resolve: { conditionNames: ['source', 'import', 'node'], extensionAlias: { '.js': ['.ts', '.js'] } },
    external: isPackage,
    plugins: [{ name: 'swc', load }],
  });
  await bundle.write({ dir: join(folder, 'dist'), entryFileNames: '[name].js', codeSplitting: false, keepNames: true });
}
