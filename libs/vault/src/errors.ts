/** `ENCRYPTION_KEY` is not what it must be. The message never repeats what was given. */
export class EncryptionKeyError extends Error {
  override readonly name = 'EncryptionKeyError';
}

/**
 * A sealed value cannot be opened: none of the keys at hand sealed it, it is damaged, or it was sealed for another place. Carries key ids and
 * places, never a key or a text.
 */
export class SealedValueError extends Error {
  override readonly name = 'SealedValueError';
}
