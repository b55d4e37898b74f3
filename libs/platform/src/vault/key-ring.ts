import { hkdfSync } from 'node:crypto';
import type { EncryptionKey } from './encryption-keys.js';
import { ENCRYPTED_TABLES } from './places.js';

const KEY_BYTES = 32;

type Purpose = (typeof ENCRYPTED_TABLES)[keyof typeof ENCRYPTED_TABLES]['purpose'];

/**
 * The keys of `ENCRYPTION_KEY`, and one key per purpose that is derived from each. Keys are derived once, not for every
 * value.
 */
export class KeyRing {
  readonly newestId: string;
  readonly ids: readonly string[];
  private readonly purposes: ReadonlyMap<string, Buffer>;

  /** The first is the newest. */
  constructor(keys: readonly EncryptionKey[]) {
    const [newest] = keys;
    if (!newest) throw new RangeError('A vault needs a key.');
    this.newestId = newest.id;
    this.ids = keys.map(({ id }) => id);
    this.purposes = new Map(
      keys.flatMap(({ id, key }) =>
        Object.values(ENCRYPTED_TABLES).map(({ purpose }) => [`${id} ${purpose}`, derive(key, purpose)] as const),
      ),
    );
  }

  derived(id: string, purpose: Purpose): Buffer | undefined {
    return this.purposes.get(`${id} ${purpose}`);
  }
}

/** HKDF with SHA-256 (RFC 5869). It needs no salt, because the key is random. */
const derive = (key: Buffer, purpose: Purpose) =>
  Buffer.from(hkdfSync('sha256', key, '', `scheduled-orders ${purpose}`, KEY_BYTES));
