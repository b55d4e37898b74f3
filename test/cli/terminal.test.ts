import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { verifyPassword } from '#libs/records';
import { ALL_CASES } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { bareEnvironment } from './run.js';

const database = useDatabase();
const MAIN = join(__dirname, '../../dist/apps/cli/src/main.js');

/** util-linux's `script` gives a program a terminal; where it is missing, these tests are skipped. */
const hasTerminal = spawnSync('script', ['--version']).stdout?.toString().includes('util-linux') === true;
const onTerminal = hasTerminal ? it : it.skip;

/** Runs a command at a terminal; `typed` follows each time its first part has appeared. */
async function atTerminal(command: string, typed: readonly (readonly [after: string, text: string])[] = []) {
  const child = spawn(
    'script',
    ['--quiet', '--return', '--command', `"${process.execPath}" "${MAIN}" ${command}`, '/dev/null'],
    {
      env: { ...bareEnvironment(), DATABASE_URL: database.url, TERM: 'xterm' },
    },
  );
  const left = [...typed];
  let shown = '';
  child.stdout.on('data', (chunk) => {
    shown += String(chunk);
    if (left[0] !== undefined && shown.includes(left[0][0])) child.stdin.write(left.shift()![1]);
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, shown };
}

describe('at a terminal (needs the program script of util-linux)', () => {
  onTerminal('a password is asked for twice and never shown', async () => {
    const email = 'asked@shop.example';
    const userId = await given(database).user({ email });
    const { code, shown } = await atTerminal(`merchant:password --email ${email}`, [
      ['New password: ', 'open sesame, twice\r'],
      ['Once more: ', 'open sesame, twice\r'],
    ]);
    expect(code).toBe(0);
    expect(shown).not.toContain('sesame');
    expect(shown).toContain(`{"UserId":${userId},"TokensEnded":0}`);
    const [user] = await database.query<{ password_hash: string }>('SELECT password_hash FROM users WHERE id = $1', [
      userId,
    ]);
    expect(await verifyPassword(user!.password_hash, 'open sesame, twice')).toBe(true);
  });

  const REFUSED = [
    [
      'two that differ',
      [
        ['New password: ', 'the one password\r'],
        ['Once more: ', 'the other password\r'],
      ],
      1,
      'The two differ; nothing was changed.',
    ],
    ['Ctrl-C', [['New password: ', '\u0003']], 130, 'Nothing was changed.'],
    ['an empty one', [['New password: ', '\r']], 1, 'The password has 0 characters; at least 12 are needed.'],
    ['a short one', [['New password: ', 'short\r']], 1, 'The password has 5 characters; at least 12 are needed.'],
  ] as const;
  const SOME = ALL_CASES ? REFUSED : REFUSED.slice(0, 2);
  onTerminal.each(SOME)('a password is not changed by %s', async (name, typed, code, sentence) => {
    const email = `${name.replaceAll(' ', '-')}@shop.example`;
    const userId = await given(database).user({ email });
    const ran = await atTerminal(`merchant:password --email ${email}`, typed);
    expect(ran.code).toBe(code);
    expect(ran.shown).toContain(sentence);
    expect(await database.query('SELECT password_hash FROM users WHERE id = $1', [userId])).toEqual([
      { password_hash: 'unusable' },
    ]);
  });

  onTerminal('an import shows how far it has come', async () => {
    const { siteId } = await given(database).merchant();
    const file = join(__dirname, '../../data/woocommerce-products.csv');
    const { code, shown } = await atTerminal(`import:products "${file}" --site ${siteId}`);
    expect(code).toBe(0);
    expect(shown).toMatch(/reading [█░]+ 100 %/);
    expect(shown).toContain('"Created":22');
  });
});
