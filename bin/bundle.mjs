// Of the modules that the compiler has written to build/, makes the programs that run, in dist/. A process that reads a
// few files instead of two thousand begins in less than half of the processor time. The file of licences is written
// last: its time tells build-programs.mjs whether they are current.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { noticesOf } from './notices.mjs';
import { NOT_INSTALLED, OUTSIDE } from './outside.mjs';

const inRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const DIST = inRoot('dist');
/**
 * Files are written here and then renamed, so that a process that begins in the meantime reads the old program or the
 * new one, never half of one.
 */
const NEW = inRoot('dist/.new');
const CHUNKS = 'apps/cli/chunks/';
/** OpenTelemetry: API and worker load this file only when traces are on. */
const TRACES = 'libs/platform/src/tracing/sdk/provider';

/** Without it, the maps would lead to the compiler's output instead of the sources. */
function withSourceMap(file) {
  const map = `${file}.map`;
  if (!file.startsWith(inRoot('build')) || !existsSync(map)) return null;
  return { code: readFileSync(file, 'utf8'), map: readFileSync(map, 'utf8') };
}

/** The modules of packages that have become part of the programs. */
const included = new Set();

const isChunk = (file) => file.startsWith(CHUNKS);

/** @returns the names of the files that it wrote. */
async function write(programs, options) {
  const bundle = await rolldown({
    input: Object.fromEntries(programs.map((program) => [program, inRoot(`build/${program}.js`)])),
    platform: 'node',
    external: [...OUTSIDE, ...NOT_INSTALLED],
    plugins: [
      { name: 'source-maps', load: withSourceMap },
      // From apps/…/src/, where the programs are.
      {
        name: 'traces',
        resolveId: (name) =>
          name.endsWith('/sdk/provider.js') && !programs.includes(TRACES)
            ? { id: `../../../${TRACES}.js`, external: true }
            : null,
      },
    ],
    onLog(_level, { code, message }) {
      if (code === 'UNRESOLVED_IMPORT') throw new Error(message);
    },
  });
  const common = { dir: NEW, entryFileNames: '[name].js', keepNames: true, sourcemap: true };
  const { output } = await bundle.write({ ...common, ...options });
  for (const { moduleIds = [] } of output) for (const id of moduleIds) included.add(id);
  // What others load is there before they are.
  const files = output.map(({ fileName }) => fileName).sort((a, b) => Number(isChunk(b)) - Number(isChunk(a)));
  for (const file of files) {
    mkdirSync(dirname(join(DIST, file)), { recursive: true });
    renameSync(join(NEW, file), join(DIST, file));
  }
  return files;
}

// One file each, with what is run later only: while a process runs, a new version may be built in its place.
for (const program of [TRACES, 'apps/api/src/main', 'apps/worker/src/main'])
  await write([program], { codeSplitting: false });

// A command loads what it needs alone. `program` has the commands without a process; `start` loads the last into the
// other two.
const cli = ['apps/cli/src/main', 'apps/cli/src/program', 'apps/cli/src/start/stop-with-parent'];
const written = new Set(await write(cli, { chunkFileNames: `${CHUNKS}[name]-[hash].js` }));
for (const file of readdirSync(join(DIST, CHUNKS))) if (!written.has(CHUNKS + file)) rmSync(join(DIST, CHUNKS, file));
rmSync(NEW, { recursive: true });

// What Swagger UI loads in the browser; its package has three times as much, and an install script that reports to its
// makers.
const SWAGGER_UI = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'favicon-16x16.png',
  'favicon-32x32.png',
];
mkdirSync(join(DIST, 'swagger-ui'), { recursive: true });
for (const file of SWAGGER_UI)
  copyFileSync(inRoot(`node_modules/swagger-ui-dist/${file}`), join(DIST, 'swagger-ui', file));
included.add(inRoot('node_modules/swagger-ui-dist/swagger-ui-bundle.js'));

writeFileSync(join(DIST, 'THIRD-PARTY-NOTICES.txt'), noticesOf(included));
