import { Check, Entity, PrimaryColumn } from 'typeorm';
import { Text, Utc } from './columns.js';

/**
 * Which database this is (one row): a copy started beside the original sees that it is a copy and refuses to charge
 * (docs/processing.md).
 */
@Entity('deployment')
@Check('ck_deployment_singleton', 'singleton')
export class Deployment {
  @PrimaryColumn({ type: 'boolean', default: true }) singleton!: boolean;
  @Text(255, {}) deploymentId!: string;
  @Text(64, {}) systemIdentifier!: string;
  @Text(255, {}) databaseIdentity!: string;
  /** Begins every idempotency key: tells apart installations that share a gateway account, and is the same in a copy. */
  @Text(16, {}) keyPrefix!: string;
  /** Cycles due before this instant are looked up at the gateway before they are charged. */
  @Utc() adoptedUtc!: Date | null;
}
