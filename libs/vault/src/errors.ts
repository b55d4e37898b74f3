/** `ENCRYPTION_KEY` is wrong. The message never repeats the value. */
export class EncryptionKeyError extends Error {
  override readonly name = 'EncryptionKeyError';
}

/**
 * An encrypted value cannot be decrypted: its key is missing, it is damaged, or it was encrypted for another place. The error has key ids and places,
 * never a key or a text.
 */
export class SealedValueError extends Error {
  override readonly name = 'SealedValueError';
}
