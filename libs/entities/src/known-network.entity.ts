import { Utc } from './columns.js';
import { Entity, ForeignKey, Index, PrimaryColumn } from './decorators.js';
import { User } from './user.entity.js';

/**
 * A network from which somebody logged in to an account. For 30 days a lock of the account does not lock it out
 * (decisions.md §3).
 */
@Entity('known_networks')
@Index('ix_known_networks_last_login', ['lastLoginUtc'])
export class KnownNetwork {
  @ForeignKey(() => User)
  @PrimaryColumn({ type: 'bigint', transformer: { to: (id: number) => id, from: Number } })
  userId!: number;

  /** SHA-256 of the account's id and the IPv4 address, or the /64 of IPv6. */
  @PrimaryColumn({ type: 'bytea' }) networkHash!: Buffer;
  @Utc({ default: () => 'now()' }) lastLoginUtc!: Date;
}
