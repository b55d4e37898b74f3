import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { ShippingRateDto } from '../contract/catalog/shipping-rate.dto.js';
import { ListCountDto } from '../contract/orders/list-count.dto.js';
import { FromCaller } from '../http/caller.js';
import { Idempotency } from '../http/idempotency.js';
import { Lists } from '../http/lists/lists.js';
import { Body, Id, type Input } from '../http/parameters/parameters.js';
import { AskedCount, AskedList, CAN_BE_ASKED, type ListRequest, type Question } from '../http/query/index.js';
import { Create, List, Read, Remove, Route, Update } from '../http/route.js';
import { ASKABLE_SHIPPING_RATES as ASKABLE } from './asked-rates.js';
import { ShippingRatesService } from './shipping-rates.service.js';

@Controller()
@ApiTags('Shipping rates')
export class ShippingRatesController {
  constructor(
    private readonly rates: ShippingRatesService,
    private readonly lists: Lists,
  ) {}

  @Create('/api/ShippingRates', ShippingRateDto, {
    audience: 'merchant',
    operationId: 'createShippingRate',
    summary: 'Creates a shipping rate',
    collection: '/api/ShippingRate',
  })
  create(
    @FromCaller() caller: Caller,
    @Body(ShippingRateDto) rate: Input<ShippingRateDto>,
    @Idempotency() once: Idempotency,
  ) {
    return this.rates.create(caller, rate, once);
  }

  @List('/api/ShippingRates', ShippingRateDto, {
    audience: 'merchant',
    operationId: 'listShippingRates',
    summary: 'Lists shipping rates by Id',
    description: CAN_BE_ASKED,
  })
  list(@FromCaller() caller: Caller, @AskedList(ASKABLE) request: ListRequest<null>) {
    return this.lists.ask(request, {
      plain: () => this.rates.list(caller),
      asked: (asked) => this.rates.ask(caller, asked),
    });
  }

  @Route('GET', '/api/ShippingRates/Count', {
    audience: 'merchant',
    operationId: 'countShippingRates',
    summary: 'Counts shipping rates, exactly up to 10,000',
    gives: ListCountDto,
    errors: [400],
    addition: true,
  })
  async count(@FromCaller() caller: Caller, @AskedCount(ASKABLE) question: Question<null>) {
    return this.lists.count(caller, await this.rates.ask(caller, question));
  }

  @Update('/api/ShippingRate/:shippingRateId', ShippingRateDto, {
    audience: 'merchant',
    operationId: 'updateShippingRate',
    summary: 'Updates the fields sent',
  })
  update(
    @FromCaller() caller: Caller,
    @Id('shippingRateId') id: number,
    @Body(ShippingRateDto) rate: Input<ShippingRateDto>,
  ) {
    return this.rates.update(caller, id, rate);
  }

  @Read('/api/ShippingRate/:shippingRateId', ShippingRateDto, {
    audience: 'merchant',
    operationId: 'getShippingRate',
    summary: 'Gets a shipping rate',
  })
  get(@FromCaller() caller: Caller, @Id('shippingRateId') id: number) {
    return this.rates.get(caller, id);
  }

  @Remove('/api/ShippingRate/:shippingRateId', {
    audience: 'merchant',
    operationId: 'deleteShippingRate',
    summary: 'Deletes a shipping rate',
  })
  delete(@FromCaller() caller: Caller, @Id('shippingRateId') id: number) {
    return this.rates.delete(caller, id);
  }
}
