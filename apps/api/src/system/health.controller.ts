import { Controller } from '@nestjs/common';
import { Database } from '#libs/records';
import { Unavailable } from '../http/errors.js';
import { Route } from '../http/route.js';
import { unreadyBecause } from './readiness.js';

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
    const reason = await unreadyBecause(this.database);
    if (reason !== null) throw new Unavailable(reason, RETRY_AFTER_SECONDS);
    return { status: 'ready' };
  }
}
