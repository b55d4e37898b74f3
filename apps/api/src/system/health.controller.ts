import { Controller } from '@nestjs/common';
import { WriteProbe } from '#libs/platform';
import { Database } from '#libs/records';
import { Unavailable } from '../http/problems/errors.js';
import { Route } from '../http/route.js';
import { unreadyBecause } from './readiness.js';

const RETRY_AFTER_SECONDS = 5;

const status = (value: string, more: object = {}) => ({
  schema: {
    type: 'object',
    required: ['status'],
    properties: { status: { type: 'string', description: 'In one word.', example: value }, ...more },
  },
});
const WRITES = {
  writes: {
    type: 'string',
    description: 'Only while the database takes no writes: why. What only reads works.',
    example: 'The database takes no writes: its disk is full.',
  },
};

/** For orchestrators: whether the process is alive, and whether it can serve requests. */
@Controller()
export class HealthController {
  constructor(
    private readonly database: Database,
    private readonly writes: WriteProbe,
  ) {}

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
    gives: status('ready', WRITES),
    errors: [431],
    addition: true,
  })
  async ready() {
    const reason = await unreadyBecause(this.database);
    if (reason !== null) throw new Unavailable(reason, RETRY_AFTER_SECONDS);
    const writes = await this.writes.failBecause();
    return { status: 'ready', ...(writes !== null && { writes }) };
  }
}
