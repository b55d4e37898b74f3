import { verifyPassword } from '#libs/records';
import { useDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { until } from '../support/until.js';
import { useCli } from './run.js';

const database = useDatabase();
const cli = useCli();
const run = (args: string[], input?: string) => cli(args, { env: { DATABASE_URL: database.url }, input });

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
      'x',
      ...SITE,
      '--site-type',
      'WooCommerce',
      '--currency',
      'eur',
    ]);
    const [site] = await database.query('SELECT type, currency_iso FROM sites WHERE email = $1', [email]);
    expect(site).toEqual({ type: 'WooCommerce', currency_iso: 'EUR' });
  });

  it('reads the password from standard input when none is given', async () => {
    const email = newEmail();
    expect((await run(['merchant:create', '--email', email, ...SITE], 'from a file\nand more\n')).code).toBe(0);
    expect(await verifyPassword((await storedUser(email))!.password_hash, 'from a file')).toBe(true);
  });

  it('refuses a second account with the same email', async () => {
    const email = newEmail();
    const args = ['merchant:create', '--email', email, '--password', 'x', ...SITE];
    const { UserId } = JSON.parse((await run(args)).stdout);
    expect(await run(args)).toEqual({
      code: 1,
      stdout: '',
      stderr: `The email ${email} has an account already: UserId ${UserId}.\n`,
    });
  });

  it.each([
    [
      ['--email', 'x', '--password', 'x', ...SITE],
      "option '--email <address>' argument 'x' is invalid. It is no email address.",
    ],
    [
      ['--email', 'a@b.example', '--password', '', ...SITE],
      "option '--password <text>' argument '' is invalid. It is empty.",
    ],
    [
      ['--email', 'a@b.example', '--password', 'x', '--site-name', 'x'],
      "required option '--site-url <url>' not specified",
    ],
    [
      ['--email', 'a@b.example', '--password', 'x', '--site-name', 'x', '--site-url', 'beans'],
      "option '--site-url <url>' argument 'beans' is invalid. It is no web address such as https://shop.example.",
    ],
    [
      ['--email', 'a@b.example', '--password', 'x', ...SITE, '--currency', 'EURO'],
      "option '--currency <code>' argument 'EURO' is invalid. It is no ISO 4217 currency code such as USD.",
    ],
    [['--email', 'a@b.example', ...SITE], 'The new password is expected as the first line of standard input.'],
  ])('refuses %j', async (args, sentence) => {
    expect(await run(['merchant:create', ...args])).toEqual({ code: 1, stdout: '', stderr: `${sentence}\n` });
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

    const ran = await run(['merchant:password', '--email', email], 'new one\n');
    expect(ran).toEqual({ code: 0, stdout: `{"UserId":${userId},"TokensEnded":2}\n`, stderr: '' });
    expect(await verifyPassword((await storedUser(email))!.password_hash, 'new one')).toBe(true);
    expect(
      await database.query(
        'SELECT user_id::integer, revoked_utc IS NULL AS lives, count(*)::integer FROM access_tokens GROUP BY 1, 2 ORDER BY 1',
      ),
    ).toEqual([
      { user_id: userId, lives: false, count: 2 },
      { user_id: other.userId, lives: true, count: 1 },
    ]);
  });

  it('ends a token that is being made meanwhile', async () => {
    const email = newEmail();
    const userId = await given(database).user({ email });
    const making = database.dataSource.createQueryRunner();
    await making.startTransaction();
    await making.query(
      `INSERT INTO access_tokens (user_id, secret_hash, access_scope, expires_utc) VALUES ($1, '', 'Merchant', now() + interval '1 day')`,
      [userId],
    );
    const changing = run(['merchant:password', '--email', email], 'new one\n');
    await until(async () => {
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return (await database.query(waiting)).length > 0;
    });
    await making.commitTransaction();
    await making.release();
    expect(await changing).toEqual({ code: 0, stdout: `{"UserId":${userId},"TokensEnded":1}\n`, stderr: '' });
  });

  it('needs an account', async () => {
    expect(await run(['merchant:password', '--email', 'nobody@beans.example'], 'new one\n')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no account with the email nobody@beans.example.\n',
    });
  });

  it('needs a password', async () => {
    const email = newEmail();
    await run(['merchant:create', '--email', email, '--password', 'old one', ...SITE]);
    expect(await run(['merchant:password', '--email', email], '\n')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The new password is expected as the first line of standard input.\n',
    });
    expect(await verifyPassword((await storedUser(email))!.password_hash, 'old one')).toBe(true);
  });
});

describe('site:create', () => {
  it('adds a site to an account', async () => {
    const email = newEmail();
    const { UserId } = JSON.parse(
      (await run(['merchant:create', '--email', email, '--password', 'x', ...SITE])).stdout,
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
