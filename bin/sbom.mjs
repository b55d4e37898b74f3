/**
 * Writes a bill of materials of what runs in production to standard output: CycloneDX, made by npm from the lock file. That is what an installation has, and
 * what is part of the built files (bundled.json). To npm, the latter are for development only, so it gets a manifest that says otherwise.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const read = (name) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const { devDependencies, scripts: _, ...manifest } = read('package.json');
const { programs, console: ofConsole } = read('bin/bundled.json');
for (const name of [...programs, ...ofConsole]) manifest.dependencies[name] = devDependencies[name];

const temporary = mkdtempSync(join(tmpdir(), 'sbom-'));
// npm calls the application by the name of its folder.
const folder = join(temporary, manifest.name);
const npm = (...args) =>
  execFileSync('npm', [...args, '--package-lock-only'], { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 });
try {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(read('package-lock.json')));
  // Takes what is left over out of the lock file. Everything that it needs is in there.
  npm('install', '--offline', '--ignore-scripts', '--no-audit', '--silent');
  process.stdout.write(npm('sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'));
} finally {
  rmSync(temporary, { recursive: true });
}
