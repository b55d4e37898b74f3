import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { RatesQuestionDto } from '../contract/catalog/rates-question.dto.js';
import { QuoteDto } from '../contract/orders/quote.dto.js';
import { FromCaller } from '../http/caller.js';
import { CheckedBody, type Input, PathId } from '../http/parameters/parameters.js';
import { Route } from '../http/route.js';
import { RatesTesterService } from './rates-tester.service.js';

@Controller()
@ApiTags('Sites')
export class RatesTesterController {
  constructor(private readonly rates: RatesTesterService) {}

  @Route('POST', '/api/Site/:siteId/Explain/Rates', {
    audience: 'merchant',
    operationId: 'explainRates',
    summary: 'Says what a cart would cost to an address, and why',
    description:
      'The quote of a new order with these items (Cycles 0, in the currency of the site), whose lines have no ScheduledOrderItemId. How it would be paid is not looked at. A proposed rate that stands for no stored one has a negative id in the answer: −1 for the first element of its array.',
    gives: QuoteDto,
    errors: [404],
    readsOnly: true,
    addition: true,
  })
  quote(
    @FromCaller() caller: Caller,
    @PathId('siteId') id: number,
    @CheckedBody(RatesQuestionDto) question: Input<RatesQuestionDto>,
  ) {
    return this.rates.quote(caller, id, question);
  }
}
