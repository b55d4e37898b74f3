import { Entity, Index } from 'typeorm';
import { Id, Text, Utc } from './columns.js';

/** A login that failed, or is under way: it counts against its account and its address for 15 minutes. */
@Entity('login_attempts')
@Index('ix_login_attempts_subject', ['subject', 'attemptedUtc'])
@Index('ix_login_attempts_attempted', ['attemptedUtc'])
export class LoginAttempt {
  @Id() id!: number;
  /** `account:<SHA-256 of the email>` or `address:<IPv4 address, or /64 of IPv6>`. */
  @Text(80, {}) subject!: string;
  @Utc({ default: () => 'now()' }) attemptedUtc!: Date;
}
