import { parseEncryptionKeys } from './encryption-keys.js';
import { DecryptionError, EncryptionKeyError } from './errors.js';
import { KeyRing } from './key-ring.js';
import { ENCRYPTED_TABLES, type Place } from './places.js';
import { Vault } from './vault.js';

const OLD = '0'.repeat(64);
const NEW = 'AbCdEf0123456789'.repeat(4);
const OLD_ID = '66687aad';

const before = Vault.fromSetting(OLD);
const rotating = Vault.fromSetting(`${NEW}, ${OLD}`);
const after = Vault.fromSetting([NEW]);

const PLACE: Place = { table: 'payment_integrations', column: 'api_key1', row: [7] };
const ANSWER: Place = { table: 'idempotency_keys', column: 'body', row: ['account:1', 'POST /api/Sites', 'k'] };

describe('A vault', () => {
  it.each(['sk_test_secret', '', 'ключ 🔑', 'x'.repeat(1_000_000)])('decrypts what it encrypted (%#)', (text) => {
    const encrypted = before.encrypt(text, PLACE);
    expect(before.decrypt(encrypted, PLACE)).toBe(text);
    expect(encrypted).toMatch(/^v1\.66687aad\.[\w-]+$/);
    if (text) expect(encrypted).not.toContain(text);
  });

  it('leaves null alone', () => {
    expect(before.encrypt(null, PLACE)).toBeNull();
    expect(before.decrypt(null, PLACE)).toBeNull();
    expect(before.needsRotation(null)).toBe(false);
  });

  it('encrypts the same text differently each time', () => {
    expect(before.encrypt('text', PLACE)).not.toBe(before.encrypt('text', PLACE));
  });

  it('says which key is missing', () => {
    expect(() => after.decrypt(before.encrypt('text', PLACE), PLACE)).toThrow(
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
  ])('does not decrypt %s', (_, damage) => {
    const damaged = damage(before.encrypt('a longer text', PLACE));
    expect(() => before.decrypt(damaged, PLACE)).toThrow(DecryptionError);
  });

  it.each([
    '',
    'sk_test_in_clear',
    'v2.66687aad.' + 'A'.repeat(40),
    'v1.66687aad.AAAA',
    'v1.66687aad.' + '*'.repeat(40),
  ])('does not take %j for an encrypted text, nor repeat it', (text) => {
    expect(() => before.decrypt(text, PLACE)).toThrow(
      new DecryptionError('A stored value that should be encrypted is not: it was written by something else.'),
    );
  });
});

describe('A value that is bound to its place', () => {
  it.each<[string, Place]>([
    ['another row', { ...PLACE, row: [8] }],
    ['another column', { ...PLACE, column: 'api_key2' }],
    ['another table', { ...PLACE, table: 'sites' }],
    ['another purpose', { ...PLACE, table: 'idempotency_keys' }],
    ['a row with a longer key', { ...PLACE, row: [7, ''] }],
  ])('is not decrypted in %s, and is named', (_, place) => {
    expect(() => before.decrypt(before.encrypt('text', PLACE), place)).toThrow(
      /^The stored value in \w+\.\w+( of row \d)?, encrypted with the key 66687aad, is damaged or was encrypted for another place\.$/,
    );
  });

  it('is not decrypted under another key of the customer’s, whose parts look alike when they are joined', () => {
    const encrypted = before.encrypt('{}', ANSWER);
    expect(before.decrypt(encrypted, ANSWER)).toBe('{}');
    const other = { ...ANSWER, row: ['account:1', 'POST /api/Sitesk', ''] };
    expect(() => before.decrypt(encrypted, other)).toThrow(DecryptionError);
  });

  it('is decrypted whether the id was read as a number or as a text', () => {
    expect(before.decrypt(before.encrypt('text', PLACE), { ...PLACE, row: ['7'] })).toBe('text');
  });

  it.each<[Place, string]>([
    [PLACE, 'v1.66687aad.AAECAwQFBgcICQoLO3uy83CE7lAf_4lTHOOLIHPWz80'],
    [{ ...PLACE, table: 'sites' }, 'v1.66687aad.AAECAwQFBgcICQoLCFRfy7ELYvCJgqWreyXeNNrY-Nk'],
    [ANSWER, 'v1.66687aad.AAECAwQFBgcICQoL3HaXkmq_4whsPu4OeR1q7kaHxY0'],
  ])('is read by every later version: %j', (place, stored) => {
    expect(before.decrypt(stored, place)).toBe('text');
  });

  it('is encrypted under a key of its purpose, which is not the key of the setting', () => {
    const purposes = Object.values(ENCRYPTED_TABLES).map(({ purpose }) => purpose);
    expect(new Set(purposes).size).toBe(purposes.length);
    const ring = new KeyRing(parseEncryptionKeys(OLD));
    const keys = [parseEncryptionKeys(OLD)[0]!.key, ...purposes.map((purpose) => ring.derived(OLD_ID, purpose))];
    expect(new Set(keys.map((key) => key!.toString('hex'))).size).toBe(keys.length);
  });
});

describe('Rotation', () => {
  it('encrypts with the first key, and decrypts with all', () => {
    const encrypted = before.encrypt('text', PLACE);
    expect(rotating.decrypt(encrypted, PLACE)).toBe('text');
    expect(rotating.needsRotation(encrypted)).toBe(true);

    const again = rotating.encrypt(rotating.decrypt(encrypted, PLACE), PLACE);
    expect(rotating.needsRotation(again)).toBe(false);
    expect(again.startsWith(rotating.newestPrefix)).toBe(true);
    expect(after.decrypt(again, PLACE)).toBe('text');
  });

  it('needs a key', () => {
    expect(() => new Vault([])).toThrow(RangeError);
  });
});

describe('The check at start', () => {
  it('is content with values whose keys it has', () => {
    expect(() => rotating.check([null, before.encrypt('a', PLACE), after.encrypt('b', PLACE)])).not.toThrow();
    expect(() => before.check([])).not.toThrow();
  });

  it('names the keys that are missing and those that were given', () => {
    expect(() => after.check([before.encrypt('a', PLACE), after.encrypt('b', PLACE)])).toThrow(
      new DecryptionError(
        `ENCRYPTION_KEY is not the key that the stored credentials were encrypted with (missing: ${OLD_ID}; given: ${parseEncryptionKeys(NEW)[0]!.id}). ` +
          'Set the key that was used before, after the new one and a comma if it was changed.',
      ),
    );
  });

  it('does not keep a process from its work because of one value that is damaged', () => {
    expect(() => before.check([before.encrypt('text', PLACE).slice(0, -4)])).not.toThrow();
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
