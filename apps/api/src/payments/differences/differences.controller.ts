import { Controller, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Caller } from '#libs/records';
import { DifferenceDto, SettleDifferenceDto } from '../../contract/payments/difference.dto.js';
import { FromCaller } from '../../http/caller.js';
import { Idempotency } from '../../http/idempotency.js';
import { nextPath } from '../../http/lists/lists.js';
import { CheckedBody, type Input, PathId } from '../../http/parameters/parameters.js';
import { List, Route } from '../../http/route.js';
import { DifferencesService } from './differences.service.js';
import { type DifferencesQuery, FromDifferencesQuery } from './differences-query.js';

@Controller()
@ApiTags('Additions')
export class DifferencesController {
  constructor(private readonly differences: DifferencesService) {}

  @List('/api/Site/:siteId/Differences', DifferenceDto, {
    audience: 'merchant',
    operationId: 'listDifferences',
    summary: 'Lists what the gateways’ books and the ledger say differently, newest first, 100 a page',
    errors: [404],
    addition: true,
  })
  async list(
    @FromCaller() caller: Caller,
    @PathId('siteId') siteId: number,
    @FromDifferencesQuery() query: DifferencesQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { json, next } = await this.differences.page(caller, siteId, query);
    if (next !== null) void reply.header('link', `<${nextPath(reply.request.url, next)}>; rel="next"`);
    return json;
  }

  @Route('POST', '/api/Difference/:differenceId/Settle', {
    audience: 'merchant',
    operationId: 'settleDifference',
    summary: 'Settles a difference: what it held goes on, when no other one holds it',
    gives: DifferenceDto,
    errors: [400, 404, 409, 422],
    addition: true,
  })
  settle(
    @FromCaller() caller: Caller,
    @PathId('differenceId') id: number,
    @CheckedBody(SettleDifferenceDto) sent: Input<SettleDifferenceDto>,
    @Idempotency() once: Idempotency,
  ) {
    return this.differences.settle(caller, id, sent, once);
  }
}
