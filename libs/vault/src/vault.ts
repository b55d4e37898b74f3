import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { parseEncryptionKeys, type EncryptionKey } from './encryption-keys.js';
import { SealedValueError } from './errors.js';
import { KeyRing } from './key-ring.js';
import { type Binding, type Place, placeName, SEALED_TABLES } from './places.js';

const FORMAT = /^(v[12])\.([0-9a-f]{8})\.([A-Za-z0-9_-]{38,})$/;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts texts (gateway credentials, stored answers) with AES-256-GCM for the database.
 *
 * An encrypted text is `v2.<key id>.<base64url of nonce, ciphertext, tag>`. Format, key id, purpose and place (table, column, row) are authenticated
 * with it: a copy at another place cannot be decrypted. The key is derived for its purpose. The earlier form, `v1`, is bound to nothing but format
 * and key id; `keys:rotate` replaces it (docs/gateways.md).
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

  seal(text: string, place: Place, binding: Binding): string;
  seal(text: string | null, place: Place, binding: Binding): string | null;
  seal(text: string | null, place: Place, binding: Binding): string | null {
    if (text === null) return null;
    const nonce = randomBytes(NONCE_BYTES);
    const id = this.keys.newestId;
    const version = binding === 'Unbound' ? 'v1' : 'v2';
    const { head, key, authenticated } = this.cipherOf(version, id, place)!;
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(authenticated);
    const body = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return head + body.toString('base64url');
  }

  /**
   * @throws SealedValueError when its key is missing, it is damaged or was encrypted for another place, or it is not bound and `binding` requires
   * that.
   */
  open(sealed: string, place: Place, binding: Binding): string;
  open(sealed: string | null, place: Place, binding: Binding): string | null;
  open(sealed: string | null, place: Place, binding: Binding): string | null {
    if (sealed === null) return null;
    const { version, id, body } = parts(sealed);
    if (version === 'v1' && binding === 'Bound') throw new SealedValueError(unbound(place));
    const cipher = this.cipherOf(version, id, place);
    if (cipher === null)
      throw new SealedValueError(`A stored value was sealed with the key ${id}, which ENCRYPTION_KEY does not name.`);
    try {
      const decipher = createDecipheriv('aes-256-gcm', cipher.key, body.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(cipher.authenticated).setAuthTag(body.subarray(-TAG_BYTES));
      const text = decipher.update(body.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8');
      return text + decipher.final('utf8');
    } catch (cause) {
      throw new SealedValueError(
        `The stored value in ${placeName(place)}, sealed with the key ${id}, is damaged or was sealed for another place.`,
        { cause },
      );
    }
  }

  /** Whether the value should be encrypted again: with a newer key, or in the bound form. */
  needsRotation(sealed: string | null): boolean {
    return sealed !== null && !sealed.startsWith(this.newestPrefix);
  }

  /** The beginning of every bound value with the newest key. `NOT starts_with(column, prefix)` finds the values that are still to rotate. */
  get newestPrefix(): string {
    return `v2.${this.keys.newestId}.`;
  }

  /**
   * The check at start, with one stored value per key id: whether the keys are given. A single value that cannot be decrypted does not prevent the
   * start.
   * @throws SealedValueError that names every key id that ENCRYPTION_KEY lacks.
   */
  check(samples: Iterable<string | null>): void {
    const present = [...samples].filter((sample) => sample !== null);
    const missing = new Set(present.map((sample) => parts(sample).id).filter((id) => !this.keys.ids.includes(id)));
    if (missing.size === 0) return;
    const ids = [...missing].sort().join(', ');
    throw new SealedValueError(
      `ENCRYPTION_KEY is not the key that the stored credentials were sealed with (missing: ${ids}; given: ${this.keys.ids.join(', ')}). ` +
        'Set the key that was used before, after the new one and a comma if it was changed.',
    );
  }

  /** Key and authenticated data for a value of this form at this place; null without the key. */
  private cipherOf(version: Version, id: string, place: Place) {
    const { purpose } = SEALED_TABLES[place.table];
    const key = version === 'v1' ? this.keys.whole(id) : this.keys.derived(id, purpose);
    if (key === undefined) return null;
    const head = `${version}.${id}.`;
    // The row's key as texts, so that an id is the same when it was read as a number or as a text.
    const bound = JSON.stringify([head, purpose, place.table, place.column, ...place.row.map(String)]);
    return { head, key, authenticated: Buffer.from(version === 'v1' ? head : bound) };
  }
}

type Version = 'v1' | 'v2';

function parts(sealed: string): { version: Version; id: string; body: Buffer } {
  const [, version, id, body] = FORMAT.exec(sealed) ?? [];
  if (!version || !id || !body)
    throw new SealedValueError('A stored value that should be sealed is not: it was written by something else.');
  return { version: version as Version, id, body: Buffer.from(body, 'base64url') };
}

const unbound = (place: Place) =>
  `The stored value in ${placeName(place)} is not bound to its place: it was written after keys:rotate, by an older version or by something else. ` +
  'Enter it again.';
