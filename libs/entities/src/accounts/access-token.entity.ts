import { Int64, Text, Utc } from '../table/columns.js';
import { Check, Column, Entity, ForeignKey, Index } from '../table/decorators.js';
import { Row } from '../table/row.js';
import { ApiKey } from './api-key.entities.js';
import { Customer } from './customer.entity.js';
import { User } from './user.entity.js';

/**
 * A token of an account; a Customer token is bound to one customer. Only the secret's SHA-256 is kept (decisions.md
 * §3).
 */
@Entity('access_tokens')
@Index('ix_access_tokens_user', ['userId', 'id'])
@Index('ix_access_tokens_customer', ['customerId'], { where: 'customer_id IS NOT NULL' })
@Index('ix_access_tokens_merchant', ['userId', 'expiresUtc'], {
  where: 'customer_id IS NULL AND revoked_utc IS NULL',
})
@Index('ix_access_tokens_expires', ['expiresUtc'])
@Index('ix_access_tokens_parent', ['parentId'], { where: 'parent_id IS NOT NULL' })
@Index('ix_access_tokens_api_key', ['apiKeyId'], { where: 'api_key_id IS NOT NULL' })
@Check(
  'ck_access_tokens_scope',
  `(access_scope = 'Merchant' AND customer_id IS NULL) OR (access_scope = 'Customer' AND customer_id IS NOT NULL)`,
)
export class AccessToken extends Row {
  @ForeignKey(() => User)
  @Int64()
  userId!: number;

  @Column({ type: 'bytea' }) secretHash!: Buffer;
  @Text(16, {}) accessScope!: 'Merchant' | 'Customer';

  @ForeignKey(() => Customer)
  @Int64({ nullable: true })
  customerId!: number | null;

  /** The token that this one was generated from: revoking a token ends its whole family. */
  @ForeignKey(() => AccessToken)
  @Int64({ nullable: true })
  parentId!: number | null;

  /** The API key that this token, or one that it was generated from, was made with: it ends with the key. */
  @ForeignKey(() => ApiKey)
  @Int64({ nullable: true })
  apiKeyId!: number | null;

  /** A session's moves with its use. */
  @Utc({}) expiresUtc!: Date;
  /** When a browser's session ends at the latest; null for any other token. */
  @Utc() sessionUntilUtc!: Date | null;
  /** When the password was last entered in a session; null for any other token. */
  @Utc() passwordEnteredUtc!: Date | null;
  @Utc() revokedUtc!: Date | null;
  /** Exact to about a minute; null before its first use. */
  @Utc() lastUsedUtc!: Date | null;
}
