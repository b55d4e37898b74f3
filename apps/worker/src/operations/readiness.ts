import { Injectable, Optional } from '@nestjs/common';
import {
  closedTablesBecause,
  MIGRATED,
  NOT_MIGRATED,
  schemaMetrics,
  type SchemaState,
  tablesElsewhere,
  unusableSchemaBecause,
} from '#libs/entities';
import { ConnectionPool, isNotMigrated, WriteProbe } from '#libs/platform';
import { Dispatcher } from '../dispatcher/dispatcher.js';
import { DeploymentGuard } from '../guards/deployment-guard.js';
import { Metrics } from '../metrics/metrics.js';
import { EventNumbering } from '../outbox/event-numbering.js';
import { Pushes } from '../pushes/pushes.js';

/** Whether the worker could charge now: the database answers, takes writes, and is the right one. */
@Injectable()
export class Readiness {
  constructor(
    private readonly pool: ConnectionPool,
    private readonly guard: DeploymentGuard,
    private readonly writes: WriteProbe,
    { registry }: Metrics,
    private readonly numbering: EventNumbering,
    @Optional() private readonly dispatcher?: Dispatcher,
    @Optional() private readonly pushes?: Pushes,
  ) {
    schemaMetrics(registry, pool, () => this.unreadyBecause());
    writes.show(registry);
  }

  /** A sentence, or null when all is well. */
  async unreadyBecause(): Promise<string | null> {
    const ofParts = this.dispatcher?.trouble ?? this.pushes?.trouble ?? this.numbering.trouble;
    return (await this.unusableBecause()) ?? this.guard.refusal ?? ofParts;
  }

  private async unusableBecause(): Promise<string | null> {
    try {
      const closed = await closedTablesBecause(this.pool);
      if (closed !== null) return closed;
      const [state] = await this.pool.execute<SchemaState>(MIGRATED.statement, MIGRATED.values);
      return unusableSchemaBecause(state!) ?? (await this.writes.failBecause());
    } catch (error) {
      if (!isNotMigrated(error)) return 'The database cannot be reached.';
      const elsewhere = await tablesElsewhere(this.pool).catch(() => null);
      return elsewhere === null ? NOT_MIGRATED : `${NOT_MIGRATED} ${elsewhere}`;
    }
  }
}
