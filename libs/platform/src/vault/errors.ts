/** `ENCRYPTION_KEY` is wrong. The message never repeats the value. */
export class EncryptionKeyError extends Error {
  override readonly name = 'EncryptionKeyError';
}

/**
 * An encrypted value cannot be decrypted: none of the keys at hand encrypted it, it is damaged, or it was encrypted for
 * another place. Carries key ids and places, never a key or a text.
 */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError';
}
