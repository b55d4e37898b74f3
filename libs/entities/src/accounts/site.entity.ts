import { Flag, Int64, LongText, Text, Utc } from '../table/columns.js';
import { Check, Entity, ForeignKey, Index } from '../table/decorators.js';
import { Row } from '../table/row.js';
import { User } from './user.entity.js';

/** A shop of an account; its API keys are encrypted (libs/platform/src/vault). */
@Entity('sites')
@Index('ix_sites_user', ['userId'])
@Index('ix_sites_origin', { synchronize: false }) // by the origin of the url, an expression
@Index('ix_sites_listening', ['id'], { where: 'listens_since_utc IS NOT NULL' })
@Check('ck_sites_currency_iso', `currency_iso ~ '^[A-Z]{3}$'`)
export class Site extends Row {
  @ForeignKey(() => User)
  @Int64()
  userId!: number;

  @Text(2000) url!: string | null;
  @Text(255) type!: string | null;
  @Text(255) name!: string | null;
  @Text(255) email!: string | null;
  @LongText() apiKey1!: string | null;
  @LongText() apiKey2!: string | null;
  @LongText() apiKey3!: string | null;
  @Text(3, { default: 'USD' }) currencyIso!: string;

  /**
   * Since when its events are written to the outbox; null: nobody listens. Only `setListening` (libs/events/src/outbox)
   * writes it.
   */
  @Utc() listensSinceUtc!: Date | null;

  /** It has a test clock, from birth and for ever. */
  @Flag() simulated!: boolean;
}
