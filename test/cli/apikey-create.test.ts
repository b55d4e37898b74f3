import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { useCli } from './run.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);
const cli = useCli();
const run = (args: string[], input?: string) => cli(args, { env: { DATABASE_URL: database.url }, input });

let sequence = 0;

async function account(sites = 1) {
  const email = `keys${++sequence}@beans.example`;
  const userId = await given.user({ email });
  const siteIds: number[] = [];
  for (let site = 0; site < sites; site++) siteIds.push(await given.site(userId));
  return { email, userId, siteIds, options: ['apikey:create', '--email', email, '--name', 'Shop', '--access', 'Full'] };
}

const keyOf = async (id: number) =>
  (
    await database.query(
      `SELECT user_id::int, name, access, expires_utc, (SELECT json_agg(s.site_id ORDER BY s.site_id) FROM api_key_sites s
         WHERE s.api_key_id = k.id) AS sites FROM api_keys k WHERE id = $1`,
      [id],
    )
  )[0];

const refused = (stderr: string, code = 1) => ({ code, stdout: '', stderr: `${stderr}\n` });

describe('apikey:create', () => {
  it('makes a key of the only site, and prints its value, which works', async () => {
    const { options, userId, siteIds, email } = await account();
    const ran = await run(['apikey:create', '--email', email.toUpperCase(), ...options.slice(3)]);
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' });
    const { Id, Value } = JSON.parse(ran.stdout) as { Id: number; Value: string };
    expect(ran.stdout).toBe(`{"Id":${Id},"Value":"${Value}"}\n`);
    expect(await keyOf(Id)).toEqual({
      user_id: userId,
      name: 'Shop',
      access: 'Full',
      expires_utc: null,
      sites: siteIds,
    });
    const { status, body } = await api.request('GET', '/api/ApiKeys', { token: Value });
    expect([status, body]).toMatchObject([200, [{ Id, SiteIds: siteIds }]]);
  });

  it('takes sites, access and a time', async () => {
    const { email, userId, siteIds } = await account(3);
    const [first, , third] = siteIds.map(String) as [string, string, string];
    const options = ['--email', email, '--name', 'Reports', '--access', 'Read', '--expires', '2036-01-31T09:00:00Z'];
    const ran = await run(['apikey:create', ...options, '--site', third, '--site', first]);
    const { Id } = JSON.parse(ran.stdout) as { Id: number };
    expect(await keyOf(Id)).toEqual({
      user_id: userId,
      name: 'Reports',
      access: 'Read',
      expires_utc: new Date('2036-01-31T09:00:00Z'),
      sites: [Number(first), Number(third)],
    });
  });

  it('needs an account, and the sites of one that has several, or none', async () => {
    const { options } = await account();
    const nobody = ['apikey:create', '--email', 'nobody@beans.example', ...options.slice(3)];
    expect(await run(nobody)).toEqual(refused('There is no account with the email nobody@beans.example.'));
    const several = await account(2);
    expect(await run(several.options)).toEqual(
      refused(
        `The account ${several.email} has several sites: name those that the key reaches with --site (${several.siteIds.join(', ')}).`,
      ),
    );
    const none = await account(0);
    expect(await run(none.options)).toEqual(
      refused(`The account ${none.email} has no site yet: create one with site:create.`),
    );
  });

  it('says which option is wrong, and makes nothing', async () => {
    const { options, userId } = await account();
    const foreign = (await account()).siteIds[0]!;
    const ran = await run([...options, '--expires', '2020-01-01T00:00Z', '--site', '999999']);
    expect({ ...ran, stderr: ran.stderr.replace(/it is \S+ now/, 'it is … now') }).toEqual(
      refused(
        '--expires: "2020-01-01T00:00:00.000Z" must be in the future; it is … now. Leave it out for a key that does not expire.\n--site: There is no Site 999999.',
      ),
    );
    expect(await run([...options, '--site', String(foreign)])).toEqual(
      refused(`Site ${foreign} belongs to another account.`),
    );
    expect(await database.query(`SELECT 1 FROM api_keys WHERE user_id = $1`, [userId])).toEqual([]);
  });

  it('makes no more than 100 an account', async () => {
    const { options, userId, siteIds } = await account();
    await Promise.all(Array.from({ length: 100 }, () => given.apiKey(userId, siteIds)));
    const { code, stdout, stderr } = await run(options);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^The account has 100 API keys, expired ones included; at most 100 are possible: delete one /,
    );
  });

  it.each([
    [['--access', 'Write'], "option '--access <kind>' argument 'Write' is invalid. Allowed choices are Full, Read."],
    [['--site', '0'], "option '--site <id>' argument '0' is invalid. It is not an id such as 1."],
    [['--name', ' '], "option '--name <text>' argument ' ' is invalid. It is empty."],
    ...['soon', '2036-02-30T09:00:00Z', '2036-01-31', '2036-01-31T09:00:00'].map((time): [string[], string] => [
      ['--expires', time],
      `option '--expires <time>' argument '${time}' is invalid. It is not an instant such as 2026-01-31T08:00:00Z.`,
    ]),
  ])('refuses the option %j', async (option, sentence) => {
    const { options } = await account();
    expect(await run([...options, ...option])).toEqual(refused(sentence, 64));
  });

  it('needs the access to be said', async () => {
    const { options } = await account();
    expect(await run(options.slice(0, 5))).toEqual(refused("required option '--access <kind>' not specified", 64));
  });
});

describe('merchant:password', () => {
  it('leaves API keys, and says how many', async () => {
    const { email, userId, siteIds } = await account();
    const { value } = await given.apiKey(userId, siteIds);
    await given.apiKey(userId, siteIds, { revokedUtc: new Date() });
    await given.apiKey(userId, siteIds, { expiresUtc: new Date(0) });
    const change = () => run(['merchant:password', '--email', email], 'the new password\n');
    const what = 'delete those that you do not know (GET /api/ApiKeys, DELETE /api/ApiKey/{id}).\n';
    const changed = { code: 0, stdout: `{"UserId":${userId},"TokensEnded":0}\n` };
    expect(await change()).toEqual({ ...changed, stderr: `One API key of the account still works: ${what}` });
    await given.apiKey(userId, siteIds);
    expect(await change()).toEqual({ ...changed, stderr: `2 API keys of the account still work: ${what}` });
    expect((await api.request('GET', '/api/Products', { token: value })).status).toBe(200);
  });
});
