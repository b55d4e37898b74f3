import { hashPassword, verifyPassword } from './passwords.js';

it('hashes with Argon2id and a salt of its own', async () => {
  const [first, second] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(second).not.toBe(first);
});

it('knows the right password from a wrong one', async () => {
  const hash = await hashPassword('correct horse');
  await expect(verifyPassword(hash, 'correct horse')).resolves.toBe(true);
  await expect(verifyPassword(hash, 'correct horsf')).resolves.toBe(false);
});

it('takes a password as the same however its accents were typed', async () => {
  const hash = await hashPassword('caf\u00e9 au lait');
  await expect(verifyPassword(hash, 'cafe\u0301 au lait')).resolves.toBe(true);
});

it('lets nobody in where there is no account', async () => {
  await expect(verifyPassword(null, '')).resolves.toBe(false);
  await expect(verifyPassword(undefined, 'correct horse')).resolves.toBe(false);
});

it('costs as much without an account as with one', async () => {
  const hash = await hashPassword('correct horse');
  const time = async (passwordHash: string | null) => {
    const started = process.cpuUsage();
    for (let round = 0; round < 5; round++) await verifyPassword(passwordHash, 'wrong');
    const { user, system } = process.cpuUsage(started);
    return user + system;
  };
  await time(hash);
  const [known, unknown] = [await time(hash), await time(null)];
  expect(unknown).toBeGreaterThan(known / 3);
});
