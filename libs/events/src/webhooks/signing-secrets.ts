import type { Vault } from '#libs/platform';
import { decryptCredentials, ENDPOINT_SECRETS } from '#libs/records';

/** What the messages to an endpoint are signed with, as it is stored: encrypted. */
export interface SigningSecrets {
  readonly id: number | string;
  readonly secret: string;
  /** While it signs as well (`livingPreviousSql`). */
  readonly previousSecret: string | null;
}

/** SQL: the previous secret of an endpoint while it signs as well, else null. */
export const livingPreviousSql = (alias: string): string =>
  `CASE WHEN ${alias}.previous_until_utc > now() THEN ${alias}.previous_secret END`;

/** The secrets that sign now, the newest first. @throws DecryptionError. */
export function decryptSigningSecrets(vault: Vault, stored: SigningSecrets): string[] {
  const { secret, previousSecret } = decryptCredentials(vault, ENDPOINT_SECRETS, stored);
  return previousSecret === null ? [secret] : [secret, previousSecret];
}
