import { Controller, Get, Res, ServiceUnavailableException } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Worker } from '../worker.js';

/** For orchestrators and Prometheus. */
@Controller()
export class HealthController {
  constructor(private readonly worker: Worker) {}

  @Get('/health/live')
  live() {
    return { status: 'up' };
  }

  /** A worker is ready when it could charge now: the database answers and is the right one. */
  @Get('/health/ready')
  async ready() {
    const reason = await this.worker.unreadyBecause();
    if (reason !== null) throw new ServiceUnavailableException({ status: 'not ready', reason });
    return { status: 'ready' };
  }

  @Get('/metrics')
  async metrics(@Res() reply: FastifyReply): Promise<void> {
    const { registry } = this.worker.metrics;
    await reply.type(registry.contentType).send(await this.worker.metrics.text());
  }
}
