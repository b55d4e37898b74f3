import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { LongText, StampUtc, Text } from './columns.js';

/** What a POST with an `Idempotency-Key` answered, written in the transaction that made it (decisions.md §2). */
@Entity('idempotency_keys')
@Index('ix_idempotency_keys_created', ['createdUtc'])
export class IdempotencyKey {
  /** `account:<id>` or `customer:<id>`: two callers who choose the same key never meet. */
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
