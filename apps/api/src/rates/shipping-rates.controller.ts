import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { ShippingRateDto } from '../contract/catalog/shipping-rate.dto.js';
import { ListCountDto } from '../contract/orders/list-count.dto.js';
import { FromCaller } from '../http/caller.js';
import { Idempotency } from '../http/idempotency.js';
import { Lists } from '../http/lists/lists.js';
import { CheckedBody, type Input, PathId } from '../http/parameters/parameters.js';
import {
  CAN_BE_FILTERED,
  CountParameters,
  type ListFilter,
  ListParameters,
  type ListRequest,
} from '../http/query/index.js';
import { Create, List, Read, Remove, Route, Update } from '../http/route.js';
import { ShippingRatesService } from './rates.service.js';
import { FILTERABLE_SHIPPING_RATES as FILTERABLE } from './rates-query.js';

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
    @CheckedBody(ShippingRateDto) rate: Input<ShippingRateDto>,
    @Idempotency() once: Idempotency,
  ) {
    return this.rates.create(caller, rate, once);
  }

  @List('/api/ShippingRates', ShippingRateDto, {
    audience: 'merchant',
    operationId: 'listShippingRates',
    summary: 'Lists shipping rates by Id',
    description: CAN_BE_FILTERED,
  })
  list(@FromCaller() caller: Caller, @ListParameters(FILTERABLE) request: ListRequest<null>) {
    return this.lists.query(request, {
      plain: () => this.rates.list(caller),
      filtered: (query) => this.rates.filter(caller, query),
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
  async count(@FromCaller() caller: Caller, @CountParameters(FILTERABLE) filter: ListFilter<null>) {
    return this.lists.count(caller, await this.rates.filter(caller, filter));
  }

  @Update('/api/ShippingRate/:shippingRateId', ShippingRateDto, {
    audience: 'merchant',
    operationId: 'updateShippingRate',
    summary: 'Updates the fields sent',
  })
  update(
    @FromCaller() caller: Caller,
    @PathId('shippingRateId') id: number,
    @CheckedBody(ShippingRateDto) rate: Input<ShippingRateDto>,
  ) {
    return this.rates.update(caller, id, rate);
  }

  @Read('/api/ShippingRate/:shippingRateId', ShippingRateDto, {
    audience: 'merchant',
    operationId: 'getShippingRate',
    summary: 'Gets a shipping rate',
  })
  get(@FromCaller() caller: Caller, @PathId('shippingRateId') id: number) {
    return this.rates.get(caller, id);
  }

  @Remove('/api/ShippingRate/:shippingRateId', {
    audience: 'merchant',
    operationId: 'deleteShippingRate',
    summary: 'Deletes a shipping rate',
  })
  delete(@FromCaller() caller: Caller, @PathId('shippingRateId') id: number) {
    return this.rates.delete(caller, id);
  }
}
