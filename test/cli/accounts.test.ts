import { verifyPassword } from '#libs/records';
import { useDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { until } from '../support/until.js';
import { useCli } from './run.js';

const database = useDatabase();
const cli = useCli();
const run = (args: string[], input?: string) => cli(args, { env: { DATABASE_URL: database.url }, input });

const PASSWORD = 'twelve chars';
const SITE = ['--site-name', 'Beans', '--site-url', 'https://beans.example'];
let sequence = 0;
const newEmail = () => `merchant${++sequence}@beans.example`;

const storedUser = async (email: string) =>
  (await database.query<{ id: string; password_hash: string }>('SELECT * FROM users WHERE email = $1', [email]))[0];

describe('merchant:create', () => {
  it('creates an account with its first site, and prints their ids', async () => {
    const email = newEmail();
    const ran = await run(['merchant:create', '--email', email.toUpperCase(), '--password', 'correct horse', ...SITE]);
    const user = (await storedUser(email))!;
    const [site] = await database.query('SELECT * FROM sites WHERE user_id = $1', [user.id]);
    expect(ran).toEqual({ code: 0, stdout: `{"UserId":${user.id},"SiteId":${String(site!.id)}}\n`, stderr: '' });
    expect(site).toMatchObject({
      url: 'https://beans.example',
      name: 'Beans',
      type: null,
      email,
      currency_iso: 'USD',
      api_key1: null,
    });
    expect(await verifyPassword(user.password_hash, 'correct horse')).toBe(true);
  });

  it('takes type and currency', async () => {
    const email = newEmail();
    await run([
      'merchant:create',
      '--email',
      email,
      '--password',
      PASSWORD,
      ...SITE,
      '--site-type',
      'WooCommerce',
      '--currency',
      'eur',
    ]);
    const [site] = await database.query('SELECT type, currency_iso FROM sites WHERE email = $1', [email]);
    expect(site).toEqual({ type: 'WooCommerce', currency_iso: 'EUR' });
  });

  it.each([[[]], [['--password-stdin']]])('reads the password from standard input with %j', async (args) => {
    const email = newEmail();
    expect(
      (await run(['merchant:create', '--email', email, ...args, ...SITE], 'from a pipe or file\nand more\n')).code,
    ).toBe(0);
    expect(await verifyPassword((await storedUser(email))!.password_hash, 'from a pipe or file')).toBe(true);
  });

  it('refuses a second account with the same email', async () => {
    const email = newEmail();
    const args = ['merchant:create', '--email', email, '--password', PASSWORD, ...SITE];
    const { UserId } = JSON.parse((await run(args)).stdout);
    expect(await run(args)).toEqual({
      code: 1,
      stdout: '',
      stderr: `The email ${email} has an account already: UserId ${UserId}.\n`,
    });
  });

  it.each([
    [
      ['--email', 'x', '--password', PASSWORD, ...SITE],
      "option '--email <address>' argument 'x' is invalid. It is not an email address.",
    ],
    [
      ['--email', 'a@b.example', '--password', '', ...SITE],
      "option '--password <text>' argument '' is invalid. It is empty.",
    ],
    [
      ['--email', 'a@b.example', '--password', PASSWORD, '--site-name', 'x'],
      "required option '--site-url <url>' not specified",
    ],
    [
      ['--email', 'a@b.example', '--password', PASSWORD, '--site-name', 'x', '--site-url', 'beans'],
      "option '--site-url <url>' argument 'beans' is invalid. It is not a web address such as https://shop.example.",
    ],
    [
      ['--email', 'a@b.example', '--password', PASSWORD, ...SITE, '--currency', 'EURO'],
      `option '--currency <code>' argument 'EURO' is invalid. "EURO" must be an ISO 4217 currency code such as USD.`,
    ],
    [
      ['--email', 'a@b.example', '--password', PASSWORD, '--password-stdin', ...SITE],
      "option '--password-stdin' cannot be used with option '--password <text>'",
    ],
  ])('refuses the command line %j', async (args, sentence) => {
    expect(await run(['merchant:create', ...args])).toEqual({ code: 64, stdout: '', stderr: `${sentence}\n` });
  });

  it.each([
    [['--password', 'short'], '', 'The password has 5 characters; at least 12 are needed. Nothing was changed.'],
    [
      ['--password-stdin'],
      'elf letters\n',
      'The password has 11 characters; at least 12 are needed. Nothing was changed.',
    ],
    [
      ['--password-stdin'],
      `${'x'.repeat(1_001)}\n`,
      'The password has 1001 characters; at most 1000 are possible. Nothing was changed.',
    ],
    [['--password-stdin'], '', 'The new password is expected as the first line of standard input.'],
    [[], '', 'The new password is expected as the first line of standard input.'],
  ])('refuses the password of %j with the input %j', async (args, input, sentence) => {
    const email = newEmail();
    const ran = await run(['merchant:create', '--email', email, ...args, ...SITE], input);
    expect(ran).toEqual({ code: 1, stdout: '', stderr: `${sentence}\n` });
    expect(await storedUser(email)).toBeUndefined();
  });

  it('says that --password is seen by others on the machine', async () => {
    const { stdout } = await run(['merchant:create', '--help']);
    expect(stdout.replace(/\s+/g, ' ')).toContain('others on this machine can see it while the command runs');
  });
});

describe('merchant:password', () => {
  it('sets the password and ends every token of the account, and of no other', async () => {
    const factory = given(database);
    const email = newEmail();
    const userId = await factory.user({ email });
    const siteId = await factory.site(userId);
    const customerId = await factory.customer(siteId);
    await factory.token(userId);
    await factory.token(userId, { customerId });
    const other = await factory.merchant();

    const ran = await run(['merchant:password', '--email', email], 'the new password\n');
    expect(ran).toEqual({ code: 0, stdout: `{"UserId":${userId},"TokensEnded":2}\n`, stderr: '' });
    expect(await verifyPassword((await storedUser(email))!.password_hash, 'the new password')).toBe(true);
    expect(
      await database.query(
        'SELECT user_id::integer, revoked_utc IS NULL AS lives, count(*)::integer FROM access_tokens GROUP BY 1, 2 ORDER BY 1',
      ),
    ).toEqual([
      { user_id: userId, lives: false, count: 2 },
      { user_id: other.userId, lives: true, count: 1 },
    ]);
  });

  it('ends a token that is being made in the meantime', async () => {
    const email = newEmail();
    const userId = await given(database).user({ email });
    const making = database.dataSource.createQueryRunner();
    await making.startTransaction();
    await making.query(
      `INSERT INTO access_tokens (user_id, secret_hash, access_scope, expires_utc) VALUES ($1, '', 'Merchant', now() + interval '1 day')`,
      [userId],
    );
    const changing = run(['merchant:password', '--email', email], 'the new password\n');
    await until(async () => {
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return (await database.query(waiting)).length > 0;
    });
    await making.commitTransaction();
    await making.release();
    expect(await changing).toEqual({ code: 0, stdout: `{"UserId":${userId},"TokensEnded":1}\n`, stderr: '' });
  });

  it('needs an account', async () => {
    expect(await run(['merchant:password', '--email', 'nobody@beans.example'], 'the new password\n')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no account with the email nobody@beans.example.\n',
    });
  });

  it.each([
    ['\n', 'The new password is expected as the first line of standard input.'],
    ['short\n', 'The password has 5 characters; at least 12 are needed. Nothing was changed.'],
  ])('needs a password of 12 characters, not %j', async (input, stderr) => {
    const email = newEmail();
    await run(['merchant:create', '--email', email, '--password', 'the old password', ...SITE]);
    expect(await run(['merchant:password', '--email', email, '--password-stdin'], input)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${stderr}\n`,
    });
    expect(await verifyPassword((await storedUser(email))!.password_hash, 'the old password')).toBe(true);
  });
});

describe('site:create', () => {
  it('adds a site to an account', async () => {
    const email = newEmail();
    const { UserId } = JSON.parse(
      (await run(['merchant:create', '--email', email, '--password', PASSWORD, ...SITE])).stdout,
    );
    const ran = await run([
      'site:create',
      '--email',
      email,
      '--site-name',
      'Tea',
      '--site-url',
      'https://tea.example',
      '--currency',
      'JPY',
    ]);
    const [site] = await database.query("SELECT * FROM sites WHERE user_id = $1 AND name = 'Tea'", [UserId]);
    expect(ran).toEqual({ code: 0, stdout: `{"UserId":${UserId},"SiteId":${String(site!.id)}}\n`, stderr: '' });
    expect(site).toMatchObject({ url: 'https://tea.example', type: null, email, currency_iso: 'JPY' });
  });

  it('needs an account', async () => {
    expect(await run(['site:create', '--email', 'nobody@beans.example', ...SITE])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no account with the email nobody@beans.example.\n',
    });
  });
});
