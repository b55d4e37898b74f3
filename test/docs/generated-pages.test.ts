import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { DIFFERENCE_KINDS } from '#libs/ledger';
import { commandsPage } from '../support/docs/commands-page.js';

/** `npm run pages` writes the page; otherwise it must be there, as it would be written. */
function expectPage(name: string, text: string): void {
  const prettier = ['node_modules/prettier/bin/prettier.cjs', '--stdin-filepath', name];
  const formatted = execFileSync(process.execPath, prettier, { input: text, encoding: 'utf8' });
  if (process.env.WRITE_PAGES === 'true') writeFileSync(name, formatted);
  expect(readFileSync(name, 'utf8')).toBe(formatted);
}

it('docs/commands.md is what the commands say of themselves (npm run pages)', async () => {
  const page = await commandsPage();
  expect(page).toContain('## cycles:stuck');
  expectPage('docs/commands.md', page);
});

it('docs/after-a-charge.md has every kind of difference, in the words of the API', () => {
  const rows = readFileSync('docs/after-a-charge.md', 'utf8').matchAll(
    /^\| `(\w+)` +\| (.*?) +\| (yes)? *\| \w.*\|$/gm,
  );
  const documented = [...rows].map(([, kind, about, holds]) => [kind, { holds: holds === 'yes', about: `${about}.` }]);
  expect(Object.fromEntries(documented)).toEqual(DIFFERENCE_KINDS);
});
