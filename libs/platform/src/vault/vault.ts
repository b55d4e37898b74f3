import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type EncryptionKey, parseEncryptionKeys } from './encryption-keys.js';
import { DecryptionError } from './errors.js';
import { KeyRing } from './key-ring.js';
import { ENCRYPTED_TABLES, type Place, placeName } from './places.js';

const FORMAT = /^v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]{38,})$/;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts texts (gateway credentials, stored answers) with AES-256-GCM for keeping in the database.
 *
 * An encrypted text is `v1.<key id>.<base64url of nonce, ciphertext, tag>`. Format, key id, purpose and place (table,
 * column, row) are authenticated with it: copied to another place it cannot be decrypted. It is encrypted under a key
 * that is derived for its purpose.
 */
export class Vault {
  private readonly keys: KeyRing;

  /** `keys`: the first encrypts, all decrypt. */
  constructor(keys: readonly EncryptionKey[]) {
    this.keys = new KeyRing(keys);
  }

  /** @throws EncryptionKeyError like `parseEncryptionKeys`. */
  static fromSetting(encryptionKey: string | readonly string[]): Vault {
    return new Vault(parseEncryptionKeys(encryptionKey));
  }

  encrypt(text: string, place: Place): string;
  encrypt(text: string | null, place: Place): string | null;
  encrypt(text: string | null, place: Place): string | null {
    if (text === null) return null;
    const nonce = randomBytes(NONCE_BYTES);
    const id = this.keys.newestId;
    const { head, key, authenticated } = this.cipherOf(id, place)!;
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(authenticated);
    const body = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return head + body.toString('base64url');
  }

  /** @throws DecryptionError when no key at hand encrypted it, or it is damaged or was encrypted for another place. */
  decrypt(encrypted: string, place: Place): string;
  decrypt(encrypted: string | null, place: Place): string | null;
  decrypt(encrypted: string | null, place: Place): string | null {
    if (encrypted === null) return null;
    const { id, body } = parts(encrypted);
    const cipher = this.cipherOf(id, place);
    if (cipher === null)
      throw new DecryptionError(`A stored value was encrypted with the key ${id}, which ENCRYPTION_KEY does not name.`);
    try {
      const decipher = createDecipheriv('aes-256-gcm', cipher.key, body.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(cipher.authenticated).setAuthTag(body.subarray(-TAG_BYTES));
      const text = decipher.update(body.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8');
      return text + decipher.final('utf8');
    } catch (cause) {
      throw new DecryptionError(
        `The stored value in ${placeName(place)}, encrypted with the key ${id}, is damaged or was encrypted for another place.`,
        { cause },
      );
    }
  }

  /** Whether `encrypt` would use another key by now. */
  needsRotation(encrypted: string | null): boolean {
    return encrypted !== null && !encrypted.startsWith(this.newestPrefix);
  }

  /**
   * What every value encrypted with the newest key begins with: `NOT starts_with(column, prefix)` finds what is left to
   * rotate.
   */
  get newestPrefix(): string {
    return headOf(this.keys.newestId);
  }

  /**
   * The check at start, of one stored value per key id: whether the keys are at hand. One value that cannot be
   * decrypted is no reason not to start.
   * @throws DecryptionError naming every key id that ENCRYPTION_KEY lacks.
   */
  check(samples: Iterable<string | null>): void {
    const present = [...samples].filter((sample) => sample !== null);
    const missing = new Set(present.map((sample) => parts(sample).id).filter((id) => !this.keys.ids.includes(id)));
    if (missing.size === 0) return;
    const ids = [...missing].sort().join(', ');
    throw new DecryptionError(
      `ENCRYPTION_KEY is not the key that the stored credentials were encrypted with (missing: ${ids}; given: ${this.keys.ids.join(', ')}). ` +
        'Set the key that was used before, after the new one and a comma if it was changed.',
    );
  }

  /** With what a value of this key is encrypted at this place; null without the key. */
  private cipherOf(id: string, place: Place) {
    const { purpose } = ENCRYPTED_TABLES[place.table];
    const key = this.keys.derived(id, purpose);
    if (key === undefined) return null;
    const head = headOf(id);
    // The row's key as texts, so that an id is the same when it was read as a number or as a text.
    const bound = JSON.stringify([head, purpose, place.table, place.column, ...place.row.map(String)]);
    return { head, key, authenticated: Buffer.from(bound) };
  }
}

const headOf = (id: string): string => `v1.${id}.`;

function parts(encrypted: string): { id: string; body: Buffer } {
  const [, id, body] = FORMAT.exec(encrypted) ?? [];
  if (!id || !body)
    throw new DecryptionError('A stored value that should be encrypted is not: it was written by something else.');
  return { id, body: Buffer.from(body, 'base64url') };
}
