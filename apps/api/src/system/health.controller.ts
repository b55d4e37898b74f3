import { Controller, Get, HttpCode, SetMetadata } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Database } from '#libs/records';
import { Unavailable } from '../http/errors.js';
import { AUDIENCE } from '../http/route.js';

const READY = {
  name: 'ready',
  text: `SELECT EXISTS (SELECT 1 FROM information_schema.tables WHERE table_name = 'login_attempts') AS migrated`,
};
const RETRY_AFTER_SECONDS = 5;

/** For orchestrators: whether the process lives, and whether it can serve. */
@Controller()
@ApiExcludeController()
export class HealthController {
  constructor(private readonly database: Database) {}

  @Get('/health/live')
  @HttpCode(200)
  @SetMetadata(AUDIENCE, 'anyone')
  live() {
    return { status: 'up' };
  }

  @Get('/health/ready')
  @HttpCode(200)
  @SetMetadata(AUDIENCE, 'anyone')
  async ready() {
    const [row] = await this.database.read<{ migrated: boolean }>(READY, []);
    if (row?.migrated !== true) {
      throw new Unavailable('The database has no tables yet: run the migrations.', RETRY_AFTER_SECONDS);
    }
    return { status: 'ready' };
  }
}
