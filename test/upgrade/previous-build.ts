import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import previousVersion from './previous-version.json' with { type: 'json' };

const ROOT = join(__dirname, '../..');
/** Inside the project, so that packages are found as they are for the project itself. */
const BUILDS = join(ROOT, 'reports/previous-version');

/**
 * API, worker and command line of the previous version (or of another one), built from the git history: once, for a commit never changes.
 * @throws Error where the clone has no such commit: what is not tested must not look as if it were.
 */
export function previousBuild(commit = previousVersion.commit): string {
  const built = join(BUILDS, commit);
  const dist = join(built, 'dist');
  // Made last.
  if (existsSync(join(dist, 'apps/cli/src/main.js'))) return dist;
  mkdirSync(BUILDS, { recursive: true });
  const folder = mkdtempSync(`${built}-`);
  try {
    const run = { cwd: folder, maxBuffer: 256 * 1024 * 1024 };
    execFileSync('tar', ['-x'], { ...run, input: archive(commit) });
    execFileSync(process.execPath, [join(__dirname, 'bundle.mjs'), folder], run);
    rmSync(built, { recursive: true, force: true });
    renameSync(folder, built);
    return dist;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function archive(commit: string): Buffer {
  try {
    const parts = ['package.json', 'apps', 'libs'];
    return execFileSync('git', ['archive', commit, ...parts], {
      cwd: ROOT,
      maxBuffer: 256 * 1024 * 1024,
      stdio: 'pipe',
    });
  } catch (error) {
    throw new Error(
      `The previous version, commit ${commit}, cannot be read from the git history, which this test needs: ` +
        `in a shallow clone, run git fetch --unshallow. (${String((error as { stderr?: Buffer }).stderr ?? error).trim()})`,
    );
  }
}
