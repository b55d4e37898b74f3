import { Controller } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import {
  LineTaxDto,
  PassedOverRateDto,
  QuoteDto,
  QuoteLineDto,
  QuoteProblemDto,
  QuoteShippingDto,
  TakenOutTaxDto,
  UpcomingOccurrenceDto,
} from '../contract/quote.dto.js';
import { FromCaller } from '../http/caller.js';
import { Id } from '../http/parameters.js';
import { List, Read } from '../http/route.js';
import { Count } from './count.js';
import { QuotesService } from './quotes.service.js';

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
  quote(@FromCaller() caller: Caller, @Id('scheduledOrderId') id: number) {
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
  upcoming(@FromCaller() caller: Caller, @Id('scheduledOrderId') id: number, @Count() count: number) {
    return this.quotes.upcoming(caller, id, count);
  }
}
