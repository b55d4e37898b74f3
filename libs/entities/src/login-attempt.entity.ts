import { Id, Text, Utc } from './columns.js';
import { Entity, Index } from './decorators.js';

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
