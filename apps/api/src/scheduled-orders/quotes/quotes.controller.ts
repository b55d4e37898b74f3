import { Controller, createParamDecorator, type PipeTransform } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { type Caller, Rejected } from '#libs/records';
import {
  LineTaxDto,
  PassedOverRateDto,
  QuoteDto,
  QuoteLineDto,
  QuoteProblemDto,
  QuoteShippingDto,
  TakenOutTaxDto,
  UpcomingOccurrenceDto,
} from '../../contract/orders/quote.dto.js';
import { FromCaller } from '../../http/caller.js';
import { onMethod, PathId } from '../../http/parameters/parameters.js';
import { QueryParameter, shownParameter } from '../../http/query/query-parameter.js';
import { List, Read } from '../../http/route.js';
import { QuotesService } from './quotes.service.js';

const [LEAST, MOST, USUAL] = [1, 100, 12];

class CountPipe implements PipeTransform<unknown, number> {
  /** @throws Rejected when `count` is given and is not an integer from 1 to 100. */
  transform(sent: unknown): number {
    if (sent === undefined) return USUAL;
    const count = typeof sent === 'string' && /^\d{1,3}$/.test(sent) ? Number(sent) : Number.NaN;
    if (count >= LEAST && count <= MOST) return count;
    throw new Rejected([
      { field: 'count', message: `${shownParameter(sent)} must be an integer from ${LEAST} to ${MOST}.` },
    ]);
  }
}

const sentCount = createParamDecorator(
  (_: unknown, context) => (context.switchToHttp().getRequest<FastifyRequest>().query as Record<string, unknown>).count,
);

/** How many occurrences to look ahead (decisions.md §12). */
export const Count = (): ParameterDecorator => (target, key, index) => {
  sentCount(new CountPipe())(target, key, index);
  const schema = { type: 'integer', minimum: LEAST, maximum: MOST, default: USUAL } as const;
  onMethod(QueryParameter({ name: 'count', description: 'How many, at most.', schema }), target, key);
};

@Controller()
@ApiTags('Scheduled orders')
@ApiExtraModels(QuoteLineDto, LineTaxDto, QuoteShippingDto, PassedOverRateDto, QuoteProblemDto, TakenOutTaxDto)
export class QuotesController {
  constructor(private readonly quotes: QuotesService) {}

  @Read('/api/ScheduledOrders/:scheduledOrderId/Quote', QuoteDto, {
    audience: 'both',
    operationId: 'quoteScheduledOrder',
    summary: 'Says what the order would cost now, and why',
    addition: true,
  })
  quote(@FromCaller() caller: Caller, @PathId('scheduledOrderId') id: number) {
    return this.quotes.quote(caller, id);
  }

  @List('/api/ScheduledOrders/:scheduledOrderId/Upcoming', UpcomingOccurrenceDto, {
    audience: 'both',
    operationId: 'listUpcomingOccurrences',
    summary: 'Lists the next occurrences and what they will cost, the first being NextOccurrenceUtc',
    description: 'Empty for an order without a frequency.',
    errors: [404],
    addition: true,
  })
  upcoming(@FromCaller() caller: Caller, @PathId('scheduledOrderId') id: number, @Count() count: number) {
    return this.quotes.upcoming(caller, id, count);
  }
}
