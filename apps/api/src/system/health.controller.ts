import { Controller } from '@nestjs/common';
import { isTableMissing } from '#libs/database';
import {
  closedTablesBecause,
  MIGRATED,
  NOT_MIGRATED,
  type SchemaState,
  tablesElsewhere,
  unusableSchemaBecause,
} from '#libs/entities';
import { Database } from '#libs/records';
import { Unavailable } from '../http/errors.js';
import { Route } from '../http/route.js';

const RETRY_AFTER_SECONDS = 5;

const status = (value: string) => ({
  schema: {
    type: 'object',
    required: ['status'],
    properties: { status: { type: 'string', description: 'In one word.', example: value } },
  },
});

/** For orchestrators: whether the process is alive, and whether it can serve requests. */
@Controller()
export class HealthController {
  constructor(private readonly database: Database) {}

  @Route('GET', '/health/live', {
    audience: 'anyone',
    operationId: 'isLive',
    summary: 'Says that the process is alive',
    gives: status('up'),
    errors: [431],
    addition: true,
  })
  live() {
    return { status: 'up' };
  }

  @Route('GET', '/health/ready', {
    audience: 'anyone',
    operationId: 'isReady',
    summary: 'Says whether the service can serve requests: its database answers, is migrated, and allows its version',
    gives: status('ready'),
    errors: [431],
    addition: true,
  })
  async ready() {
    const reason = await this.unusableBecause();
    if (reason !== null) throw new Unavailable(reason, RETRY_AFTER_SECONDS);
    return { status: 'ready' };
  }

  private async unusableBecause(): Promise<string | null> {
    try {
      const closed = await closedTablesBecause(this.database);
      if (closed !== null) return closed;
      const [state] = await this.database.read<SchemaState>(MIGRATED.statement, MIGRATED.values);
      return unusableSchemaBecause(state!);
    } catch (error) {
      if (!isTableMissing(error)) throw error;
      const elsewhere = await tablesElsewhere(this.database);
      return elsewhere === null ? NOT_MIGRATED : `${NOT_MIGRATED} ${elsewhere}`;
    }
  }
}
