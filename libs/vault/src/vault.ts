import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { parseEncryptionKeys, type EncryptionKey } from './encryption-keys.js';
import { SealedValueError } from './errors.js';

const FORMAT = /^v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]{38,})$/;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals texts (gateway credentials, stored answers) with AES-256-GCM for keeping in the database.
 *
 * A sealed text is `v1.<key id>.<base64url of nonce, ciphertext, tag>`; format and key id are authenticated with it. It is not bound
 * to its row: rotation, restoring and moving rows stay a plain copy, and whoever could swap two sealed values in the database could
 * give himself an account there as well.
 */
export class Vault {
  private readonly newest: EncryptionKey;
  private readonly keys: ReadonlyMap<string, Buffer>;

  /** `keys`: the first seals, all open. */
  constructor(keys: readonly EncryptionKey[]) {
    const [newest] = keys;
    if (!newest) throw new RangeError('A vault needs a key.');
    this.newest = newest;
    this.keys = new Map(keys.map(({ id, key }) => [id, key]));
  }

  /** @throws EncryptionKeyError as `parseEncryptionKeys`. */
  static fromSetting(encryptionKey: string | readonly string[]): Vault {
    return new Vault(parseEncryptionKeys(encryptionKey));
  }

  seal(text: string): string;
  seal(text: string | null): string | null;
  seal(text: string | null): string | null {
    if (text === null) return null;
    const nonce = randomBytes(NONCE_BYTES);
    const head = `v1.${this.newest.id}.`;
    const cipher = createCipheriv('aes-256-gcm', this.newest.key, nonce).setAAD(Buffer.from(head));
    const body = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return head + body.toString('base64url');
  }

  /** @throws SealedValueError when no key at hand sealed it, or it is damaged. */
  open(sealed: string): string;
  open(sealed: string | null): string | null;
  open(sealed: string | null): string | null {
    if (sealed === null) return null;
    const [id, body] = parts(sealed);
    const key = this.keys.get(id);
    if (!key)
      throw new SealedValueError(`A stored value was sealed with the key ${id}, which ENCRYPTION_KEY does not name.`);
    const tag = body.subarray(-TAG_BYTES);
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(`v1.${id}.`)).setAuthTag(tag);
      const text = decipher.update(body.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8');
      return text + decipher.final('utf8');
    } catch (cause) {
      throw new SealedValueError(`A stored value sealed with the key ${id} is damaged.`, { cause });
    }
  }

  /** Whether `open` can read it, but `seal` would use another key by now. */
  needsRotation(sealed: string | null): boolean {
    return sealed !== null && parts(sealed)[0] !== this.newest.id;
  }

  /** What every value sealed with the newest key begins with: `column NOT LIKE prefix || '%'` finds what is left to rotate. */
  get newestPrefix(): string {
    return `v1.${this.newest.id}.`;
  }

  /**
   * The check at start: opens one stored value per key id, as
   * `SELECT DISTINCT ON (split_part(api_key1, '.', 2)) api_key1 FROM payment_integrations WHERE api_key1 IS NOT NULL` gives them.
   * @throws SealedValueError naming every key id that ENCRYPTION_KEY lacks.
   */
  check(samples: Iterable<string | null>): void {
    const present = [...samples].filter((sample) => sample !== null);
    const missing = new Set(present.map((sample) => parts(sample)[0]).filter((id) => !this.keys.has(id)));
    if (missing.size > 0) {
      const ids = [...missing].sort().join(', ');
      throw new SealedValueError(
        `ENCRYPTION_KEY is not the key that the stored credentials were sealed with (missing: ${ids}; given: ${[...this.keys.keys()].join(', ')}). ` +
          'Set the key that was used before, after the new one and a comma if it was changed.',
      );
    }
    for (const sample of present) this.open(sample);
  }
}

function parts(sealed: string): [id: string, body: Buffer] {
  const [, id, body] = FORMAT.exec(sealed) ?? [];
  if (!id || !body)
    throw new SealedValueError('A stored value that should be sealed is not: it was written by something else.');
  return [id, Buffer.from(body, 'base64url')];
}
