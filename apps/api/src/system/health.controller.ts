import { Controller } from '@nestjs/common';
import { MIGRATED } from '#libs/entities';
import { Database, databaseError } from '#libs/records';
import { Unavailable } from '../http/errors.js';
import { Route } from '../http/route.js';

const NO_SUCH_TABLE = '42P01';
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
      const [row] = await this.database.read<{ migrated: boolean }>(MIGRATED, MIGRATED.values);
      return row!.migrated;
    } catch (error) {
      if (databaseError(error)?.code === NO_SUCH_TABLE) return false;
      throw error;
    }
  }
}
