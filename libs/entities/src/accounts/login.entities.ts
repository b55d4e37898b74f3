import { Id, KeyPart, Text, Utc } from '../table/columns.js';
import { Entity, ForeignKey, Index, PrimaryColumn } from '../table/decorators.js';
import { User } from './user.entity.js';

/**
 * A network from which somebody logged in to an account. For 30 days a lock of the account does not lock it out
 * (decisions.md §3).
 */
@Entity('known_networks')
@Index('ix_known_networks_last_login', ['lastLoginUtc'])
export class KnownNetwork {
  @ForeignKey(() => User)
  @KeyPart()
  userId!: number;

  /** SHA-256 of the account's id and the IPv4 address, or the /64 of IPv6. */
  @PrimaryColumn({ type: 'bytea' }) networkHash!: Buffer;
  @Utc({ default: () => 'now()' }) lastLoginUtc!: Date;
}

/** A login that failed, or is being checked: for 15 minutes it counts against its account and its address. */
@Entity('login_attempts')
@Index('ix_login_attempts_subject', ['subject', 'attemptedUtc'])
@Index('ix_login_attempts_attempted', ['attemptedUtc'])
export class LoginAttempt {
  @Id() id!: number;
  /**
   * `account:<SHA-256 of the email>`, `address:<IPv4 address, or /64 of IPv6>`, or `locked:<SHA-256 of both>` for a try
   * at a locked account.
   */
  @Text(80, {}) subject!: string;
  @Utc({ default: () => 'now()' }) attemptedUtc!: Date;
  /** Until then it is being checked and has not failed; null, or past: it has failed, or its process has died. */
  @Utc() checkingUntilUtc!: Date | null;
}
