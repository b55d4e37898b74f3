import { hkdfSync } from 'node:crypto';
import type { EncryptionKey } from './encryption-keys.js';
import { ENCRYPTED_TABLES } from './places.js';

const KEY_BYTES = 32;

type Purpose = (typeof ENCRYPTED_TABLES)[keyof typeof ENCRYPTED_TABLES]['purpose'];

/** The keys of `ENCRYPTION_KEY`, and one key per purpose that is derived from each. Keys are derived once, not for every value. */
export class KeyRing {
  readonly newestId: string;
  private readonly keys: ReadonlyMap<string, Buffer>;
  private readonly purposes: ReadonlyMap<string, Buffer>;

  /** The first is the newest. */
  constructor(keys: readonly EncryptionKey[]) {
    const [newest] = keys;
    if (!newest) throw new RangeError('A vault needs a key.');
    this.newestId = newest.id;
    this.keys = new Map(keys.map(({ id, key }) => [id, key]));
    this.purposes = new Map(
      keys.flatMap(({ id, key }) =>
        Object.values(ENCRYPTED_TABLES).map(({ purpose }) => [`${id} ${purpose}`, derive(key, purpose)] as const),
      ),
    );
  }

  get ids(): readonly string[] {
    return [...this.keys.keys()];
  }

  /** The key as in the setting. */
  whole(id: string): Buffer | undefined {
    return this.keys.get(id);
  }

  derived(id: string, purpose: Purpose): Buffer | undefined {
    return this.purposes.get(`${id} ${purpose}`);
  }
}

/** HKDF with SHA-256 (RFC 5869). It needs no salt, because the key is random. */
const derive = (key: Buffer, purpose: Purpose) =>
  Buffer.from(hkdfSync('sha256', key, '', `scheduled-orders ${purpose}`, KEY_BYTES));
