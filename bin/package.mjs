#!/usr/bin/env node
// The last step of `npm run package`: dist/package, which a release and the image are made of. It has what is built,
// what is read, a manifest of what is installed beside the programs, and a bill of materials of all that runs:
// CycloneDX, made by npm from the lock file.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OUTSIDE } from './outside.mjs';

const inRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const PACKAGE = inRoot('dist/package');
const READ = ['.env.example', 'CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'data', 'deploy', 'docs/pictures'];
const BUILT = ['apps', 'console', 'docs', 'libs', 'swagger-ui', 'THIRD-PARTY-NOTICES.txt'].map(
  (name) => `dist/${name}`,
);

const manifest = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
const writeJson = (file, content) => writeFileSync(join(PACKAGE, file), `${JSON.stringify(content, null, 2)}\n`);
const npm = (...args) => execFileSync('npm', args, { cwd: PACKAGE, encoding: 'utf8', maxBuffer: 1e8 });

function copyFiles() {
  const programs = Object.values(manifest.bin);
  const pages = readdirSync(inRoot('docs')).filter((file) => file.endsWith('.md'));
  const files = [
    ...READ,
    ...BUILT,
    ...programs,
    'bin/check-machine.cjs',
    'bin/start.mjs',
    ...pages.map((page) => `docs/${page}`),
  ];
  for (const file of files)
    cpSync(inRoot(file), join(PACKAGE, file), { recursive: true, filter: (source) => !source.endsWith('.map') });
}

/**
 * Writes a manifest, and a lock file for it: npm keeps the versions of ours, and takes out what is not needed. A packed
 * release has no lock file.
 */
function writeManifest(needs) {
  const { name, version, description, license, type, bin, engines, scripts } = manifest;
  const start = { start: scripts.start };
  writeJson('package.json', { name, version, description, license, type, bin, engines, scripts: start, ...needs });
  copyFileSync(inRoot('package-lock.json'), join(PACKAGE, 'package-lock.json'));
  npm('install', '--package-lock-only', '--offline', '--ignore-scripts', '--no-audit', '--silent');
}

/**
 * Of a manifest without development dependencies: told to omit them, npm also leaves out some packages of which both
 * kinds make use.
 */
function writeBillOfMaterials() {
  const { dependencies, overrides } = manifest;
  writeManifest({ dependencies, overrides });
  const bill = JSON.parse(npm('sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'));
  // npm calls it by the name of the folder.
  bill.metadata.component.name = manifest.name;
  writeJson('sbom.cdx.json', bill);
}

const missing = BUILT.filter((path) => !existsSync(inRoot(path)));
if (missing.length > 0) {
  process.stderr.write(`There is no ${missing.join(', no ')}: run npm run package, which builds what is missing.\n`);
  process.exit(1);
}
rmSync(PACKAGE, { recursive: true, force: true });
mkdirSync(PACKAGE, { recursive: true });
copyFiles();
writeBillOfMaterials();
writeManifest({ dependencies: Object.fromEntries(OUTSIDE.map((name) => [name, manifest.dependencies[name]])) });
process.stdout.write('dist/package is ready: npm pack ./dist/package makes a release of it.\n');
