import { execFile, execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const FOLDER = 'integrations/woocommerce';

const isInstalled = (() => {
  try {
    return execFileSync('php', ['--version']).length > 0;
  } catch {
    return false;
  }
})();
const where = isInstalled ? it : it.skip;

describe('The receiver for WooCommerce', () => {
  where('is PHP', async () => {
    const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.php'));
    for (const file of files)
      expect((await run('php', ['-l', join(FOLDER, file)])).stdout).toContain('No syntax errors');
  });

  where('makes each order once, paid, with our amounts', async () => {
    const { stdout } = await run('php', [join(FOLDER, 'tests/run.php')]).catch((error: { stdout: string }) => error);
    expect(stdout.split('\n').filter((line) => line !== '' && !line.startsWith('ok '))).toEqual([]);
    expect(stdout).toContain('ok an order arrives once');
  });
});
