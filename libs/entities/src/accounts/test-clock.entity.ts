import { Int64, KeyPart, StampUtc, Text, Utc } from '../table/columns.js';
import { Check, Entity, ForeignKey } from '../table/decorators.js';
import { Site } from './site.entity.js';

export const TEST_CLOCK_STATES = ['Ready', 'Advancing', 'Deleting'] as const;
export type TestClockState = (typeof TEST_CLOCK_STATES)[number];

/**
 * The clock of a simulated site. It moves only by Advance and Outage, and never while a cycle of the site is leased
 * (docs/testing.md).
 */
@Entity('test_clocks')
@Check('ck_test_clocks_state', `state IN ('Ready', 'Advancing', 'Deleting')`)
@Check('ck_test_clocks_target', `state <> 'Advancing' OR target_utc IS NOT NULL`)
export class TestClock {
  @ForeignKey(() => Site)
  @KeyPart()
  siteId!: number;

  @Utc({}) nowUtc!: Date;
  @Text(16, { default: 'Ready' }) state!: TestClockState;
  /** Of the present or latest Advance. */
  @Utc() targetUtc!: Date | null;
  /** How many cycles it has processed. */
  @Int64({ default: 0 }) cycles!: number;
  /** The worker that leads the site's processing, or the request that deletes it, by the real clock. */
  @Text(64) worker!: string | null;
  @Utc() leaseUntilUtc!: Date | null;
  /** When a worker took the lead last: those that have waited longest are led first. */
  @Utc() ledUtc!: Date | null;
  @StampUtc() createdUtc!: Date;
  @StampUtc() updatedUtc!: Date;
}
