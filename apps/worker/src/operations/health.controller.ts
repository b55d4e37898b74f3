import { Controller, Get, Res, ServiceUnavailableException } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Metrics } from '../metrics/metrics.js';
import { Readiness } from './readiness.js';

/** For orchestrators and Prometheus. */
@Controller()
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly shown: Metrics,
  ) {}

  @Get('/health/live')
  live() {
    return { status: 'up' };
  }

  /** A worker is ready when it could charge now: the database answers and is the right one. */
  @Get('/health/ready')
  async ready() {
    const reason = await this.readiness.unreadyBecause();
    if (reason !== null) throw new ServiceUnavailableException({ status: 'not ready', reason });
    return { status: 'ready' };
  }

  @Get('/metrics')
  async metrics(@Res() reply: FastifyReply): Promise<void> {
    await reply.type(this.shown.registry.contentType).send(await this.shown.text());
  }
}
