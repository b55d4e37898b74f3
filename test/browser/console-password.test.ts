import type { Page } from 'playwright-core';
import { Vault } from '#libs/platform';
import { TEST_ENCRYPTION_KEY } from '../support/api.js';
import { given as givenIn } from '../support/given.js';
import { accessibilityFaults, type Account, type ConsolePage, useConsole } from './console.js';

const tested = useConsole();
const given = givenIn(tested.database);

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const question = (page: Page) => page.getByRole('dialog', { name: 'Enter your password' });
const answered = (page: Page) => question(page).waitFor({ state: 'detached' });

/** A session that was logged in to ten minutes ago, and is in use. */
async function later(values: object): Promise<ConsolePage & { readonly owner: Account }> {
  const owner = await tested.account({ ...values });
  const opened = await tested.loggedIn(owner);
  await forget(owner);
  return { ...opened, owner };
}

const forget = ({ userId }: Account) =>
  tested.database.query(
    `UPDATE access_tokens SET password_entered_utc = now() - interval '10 minutes' WHERE user_id = $1 AND session_until_utc IS NOT NULL`,
    [userId],
  );

async function enter(page: Page, password: string): Promise<void> {
  await question(page).getByLabel('Password', { exact: true }).fill(password);
  await button(page, 'Go on').click();
}

const namesOfKeys = async ({ userId }: Account) =>
  (await tested.database.query<{ name: string }>(`SELECT name FROM api_keys WHERE user_id = $1`, [userId])).map(
    ({ name }) => name,
  );

it('making a key asks for the password, keeps what was typed, and makes one key', async () => {
  const { page, faults, open, owner } = await later({ name: 'Key Shop' });
  await open(`s/${owner.siteId}/keys`);
  await button(page, 'Make a key').click();
  await page.getByLabel('Name').fill('Back end');
  await button(page, 'Make it').click();
  await question(page).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await enter(page, 'wrong');
  await question(page).getByText('is wrong.').waitFor();
  expect(await namesOfKeys(owner)).toEqual([]);

  // Escape closes the question alone, and nothing is done.
  await page.keyboard.press('Escape');
  await answered(page);
  await page.getByText('Nothing was done, for the password was not entered.').waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Back end');
  await button(page, 'Make it').click();
  await enter(page, owner.password);
  await page.getByLabel('Value of the key', { exact: true }).waitFor();
  expect(await namesOfKeys(owner)).toEqual(['Back end']);
  await button(page, 'I have copied it').click();

  // It is not asked for again at once.
  await button(page, 'Make a key').click();
  await page.getByLabel('Name').fill('Front end');
  await button(page, 'Make it').click();
  await page.getByLabel('Value of the key', { exact: true }).waitFor();
  expect(faults).toEqual([]);
});

it('a session that ends at the question is logged in to again, and the request goes on', async () => {
  const { page, faults, open, owner } = await later({ name: 'Lost Shop' });
  await open(`s/${owner.siteId}/keys`);
  await button(page, 'Make a key').click();
  await page.getByLabel('Name').fill('Back end');
  await button(page, 'Make it').click();
  await question(page).waitFor();
  await tested.database.query(`UPDATE access_tokens SET revoked_utc = now() WHERE user_id = $1`, [owner.userId]);
  await enter(page, owner.password);
  const login = page.getByRole('dialog', { name: 'Log in to go on' });
  await login.getByLabel('Password', { exact: true }).fill(owner.password);
  await login.getByRole('button', { name: 'Log in' }).click();
  await page.getByLabel('Value of the key', { exact: true }).waitFor();
  await answered(page);
  expect(await namesOfKeys(owner)).toEqual(['Back end']);
  expect(faults).toEqual([]);
});

it('a signing secret and the keys of a gateway are hidden until the password is entered', async () => {
  const { page, faults, open, owner } = await later({ name: 'Secret Shop' });
  const { siteId } = owner;
  const vault = Vault.fromSetting(TEST_ENCRYPTION_KEY);
  const { webhookEndpointId } = await given.webhook(vault, siteId);
  await given.integration(vault, siteId, { apiKey1: 'sandbox_secret_key' });
  await open(`s/${siteId}/webhooks?endpoint=${webhookEndpointId}`);
  await button(page, 'Show the secret').click();
  await question(page).waitFor();
  await button(page, 'Cancel').click();
  await button(page, 'Try again').click();
  await enter(page, owner.password);
  expect(await page.getByLabel('Secret', { exact: true }).inputValue()).toMatch(/^whsec_/);

  await forget(owner);
  await open(`s/${siteId}/payments`);
  const card = page.getByRole('region', { name: 'GatewayOne' });
  await card.getByText('Hidden').first().waitFor();
  await button(page, 'Show the ends of the keys').click();
  await enter(page, owner.password);
  await card.getByText('••••_key').waitFor();
  await card.getByText('None').waitFor();

  await forget(owner);
  await button(page, 'Change GatewayOne').click();
  await page.getByLabel('Publishable key', { exact: true }).fill('pk_test_1234567890');
  await button(page, 'Save').click();
  await enter(page, owner.password);
  await card.getByText('••••7890').waitFor();
  expect(faults).toEqual([]);
});
