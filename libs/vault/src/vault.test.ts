import { parseEncryptionKeys } from './encryption-keys.js';
import { EncryptionKeyError, SealedValueError } from './errors.js';
import { KeyRing } from './key-ring.js';
import { type Binding, type Place, SEALED_TABLES } from './places.js';
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

const seal = (vault: Vault, text: string, place = PLACE, binding: Binding = 'Bound') =>
  vault.seal(text, place, binding);
const open = (vault: Vault, sealed: string, place = PLACE, binding: Binding = 'Bound') =>
  vault.open(sealed, place, binding);

describe.each([
  ['Bound', 'v2'],
  ['Changing', 'v2'],
  ['Unbound', 'v1'],
] as const)('A vault of a database that is %s', (binding, version) => {
  it.each(['sk_test_secret', '', 'ключ 🔑', 'x'.repeat(1_000_000)])('opens what it sealed (%#)', (text) => {
    const sealed = before.seal(text, PLACE, binding);
    expect(before.open(sealed, PLACE, binding)).toBe(text);
    expect(sealed).toMatch(new RegExp(`^${version}\\.66687aad\\.[\\w-]+$`));
    if (text) expect(sealed).not.toContain(text);
  });

  it('leaves null alone', () => {
    expect(before.seal(null, PLACE, binding)).toBeNull();
    expect(before.open(null, PLACE, binding)).toBeNull();
    expect(before.needsRotation(null)).toBe(false);
  });

  it('seals the same text differently each time', () => {
    expect(before.seal('text', PLACE, binding)).not.toBe(before.seal('text', PLACE, binding));
  });

  it('says which key is missing', () => {
    expect(() => after.open(before.seal('text', PLACE, binding), PLACE, binding)).toThrow(
      new SealedValueError(`A stored value was sealed with the key ${OLD_ID}, which ENCRYPTION_KEY does not name.`),
    );
  });

  it.each([
    ['a changed text', (sealed: string) => sealed.slice(0, -3) + (sealed.endsWith('AAA') ? 'BBB' : 'AAA')],
    [
      'a changed nonce',
      (sealed: string) => sealed.replace(/\.(.)([^.]+)$/, (_, c, rest) => `.${c === 'A' ? 'B' : 'A'}${rest}`),
    ],
    ['a text cut short', (sealed: string) => sealed.slice(0, -4)],
    ['the other form', (sealed: string) => (version === 'v1' ? 'v2' : 'v1') + sealed.slice(2)],
  ])('does not open %s', (_, damage) => {
    const damaged = damage(before.seal('a longer text', PLACE, binding));
    expect(() => before.open(damaged, PLACE, binding)).toThrow(SealedValueError);
  });

  it.each(['', 'sk_test_in_clear', 'v3.66687aad.AAAA', 'v2.66687aad.AAAA', 'v1.66687aad.' + '*'.repeat(40)])(
    'does not take %j for a sealed text, nor repeat it',
    (text) => {
      expect(() => before.open(text, PLACE, binding)).toThrow(
        new SealedValueError('A stored value that should be sealed is not: it was written by something else.'),
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
  ])('does not open in %s, and is named', (_, place) => {
    expect(() => open(before, seal(before, 'text'), place)).toThrow(
      /^The stored value in \w+\.\w+( of row \d)?, sealed with the key 66687aad, is damaged or was sealed for another place\.$/,
    );
  });

  it('does not open under another key of the customer’s, whose parts look alike when they are joined', () => {
    const sealed = seal(before, '{}', ANSWER);
    expect(open(before, sealed, ANSWER)).toBe('{}');
    const other = { ...ANSWER, row: ['account:1', 'POST /api/Sitesk', ''] };
    expect(() => open(before, sealed, other)).toThrow(SealedValueError);
  });

  it('opens whether the id was read as a number or as a text', () => {
    expect(open(before, seal(before, 'text'), { ...PLACE, row: ['7'] })).toBe('text');
  });

  it('opens before and after the database refuses unbound ones', () => {
    const sealed = seal(before, 'text', PLACE, 'Changing');
    for (const binding of ['Unbound', 'Changing', 'Bound'] as const)
      expect(open(before, sealed, PLACE, binding)).toBe('text');
  });

  it.each<[Place, string]>([
    [PLACE, 'v2.66687aad.AAECAwQFBgcICQoLO3uy8xgW440STcAF0B7O3Q4cbHw'],
    [{ ...PLACE, table: 'sites' }, 'v2.66687aad.AAECAwQFBgcICQoLCFRfy-LMntY6kcJzdLXYluiDTv0'],
    [ANSWER, 'v2.66687aad.AAECAwQFBgcICQoL3HaXkpDxu6iYBb5F-JGG75SJMhc'],
  ])('is read by every later version: %j', (place, stored) => {
    expect(open(before, stored, place)).toBe('text');
  });

  it('is sealed under a key of its purpose, which is not the key of the setting', () => {
    const purposes = Object.values(SEALED_TABLES).map(({ purpose }) => purpose);
    expect(new Set(purposes).size).toBe(purposes.length);
    const ring = new KeyRing(parseEncryptionKeys(OLD));
    const keys = [ring.whole(OLD_ID), ...purposes.map((purpose) => ring.derived(OLD_ID, purpose))];
    expect(new Set(keys.map((key) => key!.toString('hex'))).size).toBe(keys.length);
  });
});

describe('A value that an earlier version sealed', () => {
  it.each(['Unbound', 'Changing'] as const)('opens while the database is %s, wherever it stands', (binding) => {
    expect(open(before, WRITTEN_BEFORE, PLACE, binding)).toBe('sk_test_earlier');
    expect(open(before, WRITTEN_BEFORE, ANSWER, binding)).toBe('sk_test_earlier');
  });

  it('is refused by a database that is Bound, with its place and what to do', () => {
    expect(() => open(before, WRITTEN_BEFORE)).toThrow(
      new SealedValueError(
        'The stored value in payment_integrations.api_key1 of row 7 is not bound to its place: it was written after keys:rotate, ' +
          'by an older version or by something else. Enter it again.',
      ),
    );
  });
});

describe('Rotation', () => {
  it('seals with the first key, and opens with all', () => {
    const sealed = seal(before, 'text');
    expect(open(rotating, sealed)).toBe('text');
    expect(rotating.needsRotation(sealed)).toBe(true);

    const resealed = seal(rotating, open(rotating, sealed));
    expect(rotating.needsRotation(resealed)).toBe(false);
    expect(resealed.startsWith(rotating.newestPrefix)).toBe(true);
    expect(open(after, resealed)).toBe('text');
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
    expect(() => rotating.check([null, WRITTEN_BEFORE, seal(after, 'b')])).not.toThrow();
    expect(() => before.check([])).not.toThrow();
  });

  it('names the keys that are missing and those that were given', () => {
    expect(() => after.check([seal(before, 'a'), seal(after, 'b')])).toThrow(
      new SealedValueError(
        `ENCRYPTION_KEY is not the key that the stored credentials were sealed with (missing: ${OLD_ID}; given: ${parseEncryptionKeys(NEW)[0]!.id}). ` +
          'Set the key that was used before, after the new one and a comma if it was changed.',
      ),
    );
  });

  it('does not keep a process from its work because of one value that is damaged', () => {
    expect(() => before.check([seal(before, 'text').slice(0, -4)])).not.toThrow();
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
