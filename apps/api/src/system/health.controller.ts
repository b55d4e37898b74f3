import { Controller } from '@nestjs/common';
import { Database, databaseError } from '#libs/records';
import { Unavailable } from '../http/errors.js';
import { Route } from '../http/route.js';

const MIGRATED = { name: 'migrated', text: `SELECT count(*)::int AS count FROM migrations WHERE name = ANY ($1)` };
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
    const expected = this.database.dataSource.migrations.map(
      (migration) => migration.name ?? migration.constructor.name,
    );
    if ((await this.migrated(expected)) < expected.length) {
      throw new Unavailable('The database is not up to date: run the migrations.', RETRY_AFTER_SECONDS);
    }
    return { status: 'ready' };
  }

  private async migrated(expected: readonly unknown[]): Promise<number> {
    try {
      const [row] = await this.database.read<{ count: number }>(MIGRATED, [expected]);
      return row!.count;
    } catch (error) {
      if (databaseError(error)?.code === NO_SUCH_TABLE) return 0;
      throw error;
    }
  }
}
