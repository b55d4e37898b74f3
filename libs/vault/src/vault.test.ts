import { parseEncryptionKeys } from './encryption-keys.js';
import { DecryptionError, EncryptionKeyError } from './errors.js';
import { KeyRing } from './key-ring.js';
import { type Binding, ENCRYPTED_TABLES, type Place } from './places.js';
import { Vault } from './vault.js';

const OLD = '0'.repeat(64);
const NEW = 'AbCdEf0123456789'.repeat(4);
const OLD_ID = '66687aad';

const before = Vault.fromSetting(OLD);
const rotating = Vault.fromSetting(`${NEW}, ${OLD}`);
const after = Vault.fromSetting([NEW]);

const PLACE: Place = { table: 'payment_integrations', column: 'api_key1', row: [7] };
const ANSWER: Place = { table: 'idempotency_keys', column: 'body', row: ['account:1', 'POST /api/Sites', 'k'] };
/** As the version before wrote it under the key `OLD`. */
const WRITTEN_BEFORE = 'v1.66687aad.AAECAwQFBgcICQoL-6BsJmWO-6anGSCJlGasXSEXzJYZeLapmZOj2djnOg';

const encrypt = (vault: Vault, text: string, place = PLACE, binding: Binding = 'Bound') =>
  vault.encrypt(text, place, binding);
const decrypt = (vault: Vault, encrypted: string, place = PLACE, binding: Binding = 'Bound') =>
  vault.decrypt(encrypted, place, binding);

describe.each([
  ['Bound', 'v2'],
  ['Changing', 'v2'],
  ['Unbound', 'v1'],
] as const)('A vault of a database that is %s', (binding, version) => {
  it.each(['sk_test_secret', '', 'ключ 🔑', 'x'.repeat(1_000_000)])('decrypts what it encrypted (%#)', (text) => {
    const encrypted = before.encrypt(text, PLACE, binding);
    expect(before.decrypt(encrypted, PLACE, binding)).toBe(text);
    expect(encrypted).toMatch(new RegExp(`^${version}\\.66687aad\\.[\\w-]+$`));
    if (text) expect(encrypted).not.toContain(text);
  });

  it('leaves null alone', () => {
    expect(before.encrypt(null, PLACE, binding)).toBeNull();
    expect(before.decrypt(null, PLACE, binding)).toBeNull();
    expect(before.needsRotation(null)).toBe(false);
  });

  it('encrypts the same text differently each time', () => {
    expect(before.encrypt('text', PLACE, binding)).not.toBe(before.encrypt('text', PLACE, binding));
  });

  it('says which key is missing', () => {
    expect(() => after.decrypt(before.encrypt('text', PLACE, binding), PLACE, binding)).toThrow(
      new DecryptionError(`A stored value was encrypted with the key ${OLD_ID}, which ENCRYPTION_KEY does not name.`),
    );
  });

  it.each([
    ['a changed text', (encrypted: string) => encrypted.slice(0, -3) + (encrypted.endsWith('AAA') ? 'BBB' : 'AAA')],
    [
      'a changed nonce',
      (encrypted: string) => encrypted.replace(/\.(.)([^.]+)$/, (_, c, rest) => `.${c === 'A' ? 'B' : 'A'}${rest}`),
    ],
    ['a text cut short', (encrypted: string) => encrypted.slice(0, -4)],
    ['the other form', (encrypted: string) => (version === 'v1' ? 'v2' : 'v1') + encrypted.slice(2)],
  ])('does not decrypt %s', (_, damage) => {
    const damaged = damage(before.encrypt('a longer text', PLACE, binding));
    expect(() => before.decrypt(damaged, PLACE, binding)).toThrow(DecryptionError);
  });

  it.each(['', 'sk_test_in_clear', 'v3.66687aad.AAAA', 'v2.66687aad.AAAA', 'v1.66687aad.' + '*'.repeat(40)])(
    'does not take %j for an encrypted text, nor repeat it',
    (text) => {
      expect(() => before.decrypt(text, PLACE, binding)).toThrow(
        new DecryptionError('A stored value that should be encrypted is not: it was written by something else.'),
      );
    },
  );
});

describe('A value that is bound to its place', () => {
  it.each<[string, Place]>([
    ['another row', { ...PLACE, row: [8] }],
    ['another column', { ...PLACE, column: 'api_key2' }],
    ['another table', { ...PLACE, table: 'sites' }],
    ['another purpose', { ...PLACE, table: 'idempotency_keys' }],
    ['a row with a longer key', { ...PLACE, row: [7, ''] }],
  ])('is not decrypted in %s, and is named', (_, place) => {
    expect(() => decrypt(before, encrypt(before, 'text'), place)).toThrow(
      /^The stored value in \w+\.\w+( of row \d)?, encrypted with the key 66687aad, is damaged or was encrypted for another place\.$/,
    );
  });

  it('is not decrypted under another key of the customer’s, whose parts look alike when they are joined', () => {
    const encrypted = encrypt(before, '{}', ANSWER);
    expect(decrypt(before, encrypted, ANSWER)).toBe('{}');
    const other = { ...ANSWER, row: ['account:1', 'POST /api/Sitesk', ''] };
    expect(() => decrypt(before, encrypted, other)).toThrow(DecryptionError);
  });

  it('is decrypted whether the id was read as a number or as a text', () => {
    expect(decrypt(before, encrypt(before, 'text'), { ...PLACE, row: ['7'] })).toBe('text');
  });

  it('is decrypted before and after the database refuses unbound ones', () => {
    const encrypted = encrypt(before, 'text', PLACE, 'Changing');
    for (const binding of ['Unbound', 'Changing', 'Bound'] as const)
      expect(decrypt(before, encrypted, PLACE, binding)).toBe('text');
  });

  it.each<[Place, string]>([
    [PLACE, 'v2.66687aad.AAECAwQFBgcICQoLO3uy8xgW440STcAF0B7O3Q4cbHw'],
    [{ ...PLACE, table: 'sites' }, 'v2.66687aad.AAECAwQFBgcICQoLCFRfy-LMntY6kcJzdLXYluiDTv0'],
    [ANSWER, 'v2.66687aad.AAECAwQFBgcICQoL3HaXkpDxu6iYBb5F-JGG75SJMhc'],
  ])('is read by every later version: %j', (place, stored) => {
    expect(decrypt(before, stored, place)).toBe('text');
  });

  it('is encrypted under a key of its purpose, which is not the key of the setting', () => {
    const purposes = Object.values(ENCRYPTED_TABLES).map(({ purpose }) => purpose);
    expect(new Set(purposes).size).toBe(purposes.length);
    const ring = new KeyRing(parseEncryptionKeys(OLD));
    const keys = [ring.whole(OLD_ID), ...purposes.map((purpose) => ring.derived(OLD_ID, purpose))];
    expect(new Set(keys.map((key) => key!.toString('hex'))).size).toBe(keys.length);
  });
});

describe('A value that an earlier version encrypted', () => {
  it.each(['Unbound', 'Changing'] as const)('is decrypted while the database is %s, wherever it stands', (binding) => {
    expect(decrypt(before, WRITTEN_BEFORE, PLACE, binding)).toBe('sk_test_earlier');
    expect(decrypt(before, WRITTEN_BEFORE, ANSWER, binding)).toBe('sk_test_earlier');
  });

  it('is refused by a database that is Bound, with its place and what to do', () => {
    expect(() => decrypt(before, WRITTEN_BEFORE)).toThrow(
      new DecryptionError(
        'The stored value in payment_integrations.api_key1 of row 7 is not bound to its place: it was written after keys:rotate, ' +
          'by an older version or by something else. Enter it again.',
      ),
    );
  });
});

describe('Rotation', () => {
  it('encrypts with the first key, and decrypts with all', () => {
    const encrypted = encrypt(before, 'text');
    expect(decrypt(rotating, encrypted)).toBe('text');
    expect(rotating.needsRotation(encrypted)).toBe(true);

    const again = encrypt(rotating, decrypt(rotating, encrypted));
    expect(rotating.needsRotation(again)).toBe(false);
    expect(again.startsWith(rotating.newestPrefix)).toBe(true);
    expect(decrypt(after, again)).toBe('text');
  });

  it('is due for what is not bound, also under the newest key', () => {
    expect(before.needsRotation(WRITTEN_BEFORE)).toBe(true);
  });

  it('needs a key', () => {
    expect(() => new Vault([])).toThrow(RangeError);
  });
});

describe('The check at start', () => {
  it('is content with values whose keys it has', () => {
    expect(() => rotating.check([null, WRITTEN_BEFORE, encrypt(after, 'b')])).not.toThrow();
    expect(() => before.check([])).not.toThrow();
  });

  it('names the keys that are missing and those that were given', () => {
    expect(() => after.check([encrypt(before, 'a'), encrypt(after, 'b')])).toThrow(
      new DecryptionError(
        `ENCRYPTION_KEY is not the key that the stored credentials were encrypted with (missing: ${OLD_ID}; given: ${parseEncryptionKeys(NEW)[0]!.id}). ` +
          'Set the key that was used before, after the new one and a comma if it was changed.',
      ),
    );
  });

  it('does not keep a process from its work because of one value that is damaged', () => {
    expect(() => before.check([encrypt(before, 'text').slice(0, -4)])).not.toThrow();
  });
});

describe('parseEncryptionKeys', () => {
  it('reads one key or several, in any case', () => {
    expect(parseEncryptionKeys(OLD)).toEqual([{ id: OLD_ID, key: Buffer.alloc(32) }]);
    expect(parseEncryptionKeys(`${NEW} , ${OLD}`)).toEqual(parseEncryptionKeys([NEW.toLowerCase(), OLD]));
  });

  it.each([
    ['', 'ENCRYPTION_KEY must be 64 hexadecimal digits'],
    [OLD.slice(1), 'ENCRYPTION_KEY must be 64 hexadecimal digits'],
    ['g'.repeat(64), 'ENCRYPTION_KEY must be 64 hexadecimal digits'],
    [`${OLD},short`, 'Key 2 of 2 is not.'],
    [`${OLD},`, 'Key 2 of 2 is not.'],
    [`${OLD},${OLD}`, 'ENCRYPTION_KEY names the same key twice.'],
  ])('refuses %j without repeating it', (text, message) => {
    const parsing = () => parseEncryptionKeys(text);
    expect(parsing).toThrow(EncryptionKeyError);
    expect(parsing).toThrow(message);
    expect(parsing).not.toThrow(/0000|gggg|short/);
  });
});
