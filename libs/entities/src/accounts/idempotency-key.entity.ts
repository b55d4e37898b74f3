import { LongText, StampUtc, Text } from '../table/columns.js';
import { Column, Entity, Index, PrimaryColumn } from '../table/decorators.js';

/** The answer to a POST with an `Idempotency-Key`, written in the transaction of the POST (decisions.md §2). */
@Entity('idempotency_keys')
@Index('ix_idempotency_keys_created', ['createdUtc'])
export class IdempotencyKey {
  /** `account:<id>`, `customer:<id>` or `key:<id>`: two callers with the same key do not conflict. */
  @PrimaryColumn({ type: 'varchar', length: 64 }) owner!: string;
  @PrimaryColumn({ type: 'varchar', length: 255 }) route!: string;
  @PrimaryColumn({ type: 'varchar', length: 255 }) key!: string;
  @Column({ type: 'bytea' }) bodyHash!: Buffer;
  @Column({ type: 'integer' }) status!: number;
  @Text(255) location!: string | null;
  /** The answer's JSON, encrypted: it may carry credentials. */
  @LongText() body!: string | null;
  @StampUtc() createdUtc!: Date;
}
