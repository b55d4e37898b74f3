import { Injectable } from '@nestjs/common';
import { ConnectionPool } from '#libs/platform';
import { Metrics } from '../metrics/metrics.js';
import { BatchLimit } from './batch-limit.js';
import { PROBE } from './contention.sql.js';

const PROBE_EVERY_MS = 50;
/** Without an API that answers requests there is nothing to give way to. */
const LOOK_FOR_API_EVERY_MS = 500;

interface ProbeRow {
  readonly lateMs: number;
  readonly isApiActive: boolean;
}

/** Probes the database while this worker processes orders, and limits its batches. An idle worker probes nothing. */
@Injectable()
export class Contention {
  private readonly limit = new BatchLimit();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly database: ConnectionPool,
    private readonly metrics: Metrics,
  ) {
    metrics.setBatchLimit(this.batches);
  }

  /** Batches that may use the database at once. */
  get batches(): number {
    return this.limit.batches;
  }

  /** A round begins. The first probe comes a little later: most rounds have ended by then. */
  begin(): void {
    this.timer ??= setTimeout(() => void this.probe(), PROBE_EVERY_MS);
  }

  /** The round has ended. */
  end(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }

  private async probe(): Promise<void> {
    const timer = this.timer;
    let nextMs = LOOK_FOR_API_EVERY_MS;
    try {
      const [row] = await this.database.execute<ProbeRow>(PROBE);
      if (row!.isApiActive) nextMs = PROBE_EVERY_MS;
      this.limit.add({ lateMs: row!.lateMs, isApiActive: row!.isApiActive });
      this.metrics.setBatchLimit(this.limit.batches);
    } catch {
      // The round itself says what is wrong with the database.
    }
    if (this.timer === timer && timer !== null) this.timer = setTimeout(() => void this.probe(), nextMs);
  }
}
