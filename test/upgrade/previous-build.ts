import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import previousVersion from './previous-version.json' with { type: 'json' };

const { commit } = previousVersion;

const ROOT = join(__dirname, '../..');
/** Inside the project, so that packages are found as they are for the project itself. */
const BUILT = join(ROOT, 'reports/previous-version', commit);

/**
 * API and worker of the previous version, built from the git history: once, for a commit never changes.
 * @throws Error where the clone has no such commit: what is not tested must not look as if it were.
 */
export function previousBuild(): string {
  const dist = join(BUILT, 'dist');
  if (existsSync(dist)) return dist;
  mkdirSync(dirname(BUILT), { recursive: true });
  const folder = mkdtempSync(`${BUILT}-`);
  try {
    const run = { cwd: folder, maxBuffer: 256 * 1024 * 1024 };
    execFileSync('tar', ['-x'], { ...run, input: archive() });
    execFileSync(process.execPath, [join(__dirname, 'bundle.mjs'), folder], run);
    renameSync(folder, BUILT);
    return dist;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function archive(): Buffer {
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
