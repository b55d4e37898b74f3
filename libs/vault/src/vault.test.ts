import { parseEncryptionKeys } from './encryption-keys.js';
import { EncryptionKeyError, SealedValueError } from './errors.js';
import { Vault } from './vault.js';

const OLD = '0'.repeat(64);
const NEW = 'AbCdEf0123456789'.repeat(4);
const OLD_ID = '66687aad';

const before = Vault.fromSetting(OLD);
const rotating = Vault.fromSetting(`${NEW}, ${OLD}`);
const after = Vault.fromSetting([NEW]);

describe('A vault', () => {
  it.each(['sk_test_secret', '', 'ключ 🔑', 'x'.repeat(1_000_000)])('opens what it sealed (%#)', (text) => {
    const sealed = before.seal(text);
    expect(before.open(sealed)).toBe(text);
    expect(sealed).toMatch(/^v1\.66687aad\.[\w-]+$/);
    if (text) expect(sealed).not.toContain(text);
  });

  it('leaves null alone', () => {
    expect(before.seal(null)).toBeNull();
    expect(before.open(null)).toBeNull();
    expect(before.needsRotation(null)).toBe(false);
  });

  it('seals the same text differently each time', () => {
    expect(before.seal('text')).not.toBe(before.seal('text'));
  });

  it('rotates: the first key seals, all open', () => {
    const sealed = before.seal('text');
    expect(rotating.open(sealed)).toBe('text');
    expect(rotating.needsRotation(sealed)).toBe(true);

    const resealed = rotating.seal(rotating.open(sealed));
    expect(rotating.needsRotation(resealed)).toBe(false);
    expect(resealed.startsWith(rotating.newestPrefix)).toBe(true);
    expect(after.open(resealed)).toBe('text');
  });

  it('says which key is missing', () => {
    expect(() => after.open(before.seal('text'))).toThrow(
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
  ])('does not open %s', (_, damage) => {
    expect(() => before.open(damage(before.seal('a longer text')))).toThrow(SealedValueError);
  });

  it.each(['', 'sk_test_in_clear', 'v2.66687aad.AAAA', 'v1.66687aad.AAAA', 'v1.66687aad.' + '*'.repeat(40)])(
    'does not take %j for a sealed text, nor repeat it',
    (text) => {
      expect(() => before.open(text)).toThrow(
        new SealedValueError('A stored value that should be sealed is not: it was written by something else.'),
      );
    },
  );

  it('needs a key', () => {
    expect(() => new Vault([])).toThrow(RangeError);
  });
});

describe('The check at start', () => {
  it('is content with values that it can open', () => {
    expect(() => rotating.check([null, before.seal('a'), after.seal('b')])).not.toThrow();
    expect(() => before.check([])).not.toThrow();
  });

  it('names the keys that are missing and those that were given', () => {
    expect(() => after.check([before.seal('a'), after.seal('b')])).toThrow(
      new SealedValueError(
        `ENCRYPTION_KEY is not the key that the stored credentials were sealed with (missing: ${OLD_ID}; given: ${parseEncryptionKeys(NEW)[0]!.id}). ` +
          'Set the key that was used before, after the new one and a comma if it was changed.',
      ),
    );
  });

  it('notices a value that is damaged', () => {
    expect(() => before.check([before.seal('text').slice(0, -4)])).toThrow(SealedValueError);
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
