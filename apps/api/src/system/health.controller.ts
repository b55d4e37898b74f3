import { Controller } from '@nestjs/common';
import { Database } from '#libs/records';
import { Unavailable } from '../http/errors.js';
import { Route } from '../http/route.js';

const READY = {
  name: 'ready',
  text: `SELECT EXISTS (SELECT 1 FROM information_schema.tables WHERE table_name = 'login_attempts') AS migrated`,
};
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
    const [row] = await this.database.read<{ migrated: boolean }>(READY, []);
    if (row?.migrated !== true) {
      throw new Unavailable('The database has no tables yet: run the migrations.', RETRY_AFTER_SECONDS);
    }
    return { status: 'ready' };
  }
}
