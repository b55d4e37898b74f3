/**
 * Writes a bill of materials of what runs in production to standard output: CycloneDX, made by npm from the lock file.
 * `npm sbom --omit dev` leaves out what production and development have in common. So npm gets the lock file without the latter.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const read = (name) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const { devDependencies: _, ...manifest } = read('package.json');
const lock = read('package-lock.json');
delete lock.packages[''].devDependencies;
lock.packages = Object.fromEntries(Object.entries(lock.packages).filter(([, { dev }]) => dev !== true));

const temporary = mkdtempSync(join(tmpdir(), 'sbom-'));
// npm calls the application by the name of its folder.
const folder = join(temporary, manifest.name);
try {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  execFileSync('npm', args, { cwd: folder, stdio: 'inherit' });
} finally {
  rmSync(temporary, { recursive: true });
}
