import { Int64, KeyPart, StampUtc, Text, Utc } from '../table/columns.js';
import { Check, Column, Entity, ForeignKey, Index } from '../table/decorators.js';
import { Site } from './site.entity.js';
import { User } from './user.entity.js';

/** What an API key may do at its sites. */
export const API_KEY_ACCESS = ['Full', 'Read'] as const;
export type ApiKeyAccess = (typeof API_KEY_ACCESS)[number];

/** A key of an account, for a shop's back end. Only the secret's SHA-256 is kept (decisions.md §3, API keys). */
@Entity('api_keys')
@Index('ix_api_keys_user', ['userId', 'id'], { where: 'revoked_utc IS NULL' })
@Index('ix_api_keys_revoked', ['revokedUtc'], { where: 'revoked_utc IS NOT NULL' })
@Check('ck_api_keys_access', `access IN ('Full', 'Read')`)
export class ApiKey {
  /** From the sequence of `access_tokens`: a log entry names a token or a key by its id alone. */
  @KeyPart() id!: number;

  @ForeignKey(() => User)
  @Int64()
  userId!: number;

  @Text(255, {}) name!: string;
  @Column({ type: 'bytea' }) secretHash!: Buffer;
  @Text(16, {}) access!: ApiKeyAccess;

  /** Null: it does not expire. */
  @Utc() expiresUtc!: Date | null;
  @Utc() revokedUtc!: Date | null;
  /** Exact to about a minute; null before its first use. */
  @Utc() lastUsedUtc!: Date | null;
  @StampUtc() createdUtc!: Date;
  @StampUtc() updatedUtc!: Date;
}

/** A site that an API key reaches. They are chosen when the key is made, and stay. */
@Entity('api_key_sites')
export class ApiKeySite {
  @ForeignKey(() => ApiKey, { onDelete: 'CASCADE' })
  @KeyPart()
  apiKeyId!: number;

  @ForeignKey(() => Site)
  @KeyPart()
  siteId!: number;
}
