import { Controller } from '@nestjs/common';
import { isTableMissing } from '#libs/database';
import { MIGRATED } from '#libs/entities';
import { Database } from '#libs/records';
import { Unavailable } from '../http/errors.js';
import { Route } from '../http/route.js';

const RETRY_AFTER_SECONDS = 5;

const status = (value: string) => ({
  schema: { type: 'object', required: ['status'], properties: { status: { type: 'string', example: value } } },
});

/** For orchestrators: whether the process lives, and whether it can serve. */
@Controller()
export class HealthController {
  constructor(private readonly database: Database) {}

  @Route('GET', '/health/live', {
    audience: 'anyone',
    operationId: 'isLive',
    summary: 'Says that the process lives',
    gives: status('up'),
    addition: true,
  })
  live() {
    return { status: 'up' };
  }

  @Route('GET', '/health/ready', {
    audience: 'anyone',
    operationId: 'isReady',
    summary: 'Says whether the service can serve: its database answers and is migrated',
    gives: status('ready'),
    addition: true,
  })
  async ready() {
    if (!(await this.isMigrated())) {
      throw new Unavailable('The database is not up to date: run the migrations.', RETRY_AFTER_SECONDS);
    }
    return { status: 'ready' };
  }

  private async isMigrated(): Promise<boolean> {
    try {
      const [row] = await this.database.read<{ migrated: boolean }>(MIGRATED.statement, MIGRATED.values);
      return row!.migrated;
    } catch (error) {
      if (isTableMissing(error)) return false;
      throw error;
    }
  }
}
