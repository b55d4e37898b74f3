import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { TaxRateDto, TaxRateTermsDto } from '../contract/catalog/tax-rate.dto.js';
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
import { TaxRatesService, TaxRateTermsService } from './rates.service.js';
import { FILTERABLE_TAX_RATES as FILTERABLE } from './rates-query.js';

@Controller()
@ApiTags('Tax rates')
export class TaxRatesController {
  constructor(
    private readonly rates: TaxRatesService,
    private readonly terms: TaxRateTermsService,
    private readonly lists: Lists,
  ) {}

  @Create('/api/TaxRates', TaxRateDto, {
    audience: 'merchant',
    operationId: 'createTaxRate',
    summary: 'Creates a tax rate',
    collection: '/api/TaxRate',
  })
  create(
    @FromCaller() caller: Caller,
    @CheckedBody(TaxRateDto) rate: Input<TaxRateDto>,
    @Idempotency() once: Idempotency,
  ) {
    return this.rates.create(caller, rate, once);
  }

  @List('/api/TaxRates', TaxRateDto, {
    audience: 'merchant',
    operationId: 'listTaxRates',
    summary: 'Lists tax rates by Id',
    description: CAN_BE_FILTERED,
  })
  list(@FromCaller() caller: Caller, @ListParameters(FILTERABLE) request: ListRequest<null>) {
    return this.lists.query(request, {
      plain: () => this.rates.list(caller),
      filtered: (query) => this.rates.filter(caller, query),
    });
  }

  @Route('GET', '/api/TaxRates/Count', {
    audience: 'merchant',
    operationId: 'countTaxRates',
    summary: 'Counts tax rates, exactly up to 10,000',
    gives: ListCountDto,
    errors: [400],
    addition: true,
  })
  async count(@FromCaller() caller: Caller, @CountParameters(FILTERABLE) filter: ListFilter<null>) {
    return this.lists.count(caller, await this.rates.filter(caller, filter));
  }

  @Update('/api/TaxRate/:taxRateId', TaxRateDto, {
    audience: 'merchant',
    operationId: 'updateTaxRate',
    summary: 'Updates the fields sent',
  })
  update(
    @FromCaller() caller: Caller,
    @PathId('taxRateId') id: number,
    @CheckedBody(TaxRateDto) rate: Input<TaxRateDto>,
  ) {
    return this.rates.update(caller, id, rate);
  }

  @Read('/api/TaxRate/:taxRateId', TaxRateDto, {
    audience: 'merchant',
    operationId: 'getTaxRate',
    summary: 'Gets a tax rate',
  })
  get(@FromCaller() caller: Caller, @PathId('taxRateId') id: number) {
    return this.rates.get(caller, id);
  }

  @Remove('/api/TaxRate/:taxRateId', {
    audience: 'merchant',
    operationId: 'deleteTaxRate',
    summary: 'Deletes a tax rate',
  })
  delete(@FromCaller() caller: Caller, @PathId('taxRateId') id: number) {
    return this.rates.delete(caller, id);
  }

  @Update('/api/TaxRate/:taxRateId/Terms', TaxRateTermsDto, {
    audience: 'merchant',
    operationId: 'updateTaxRateTerms',
    summary: 'Updates the terms sent: priority, and whether shipping is taxed',
    addition: true,
  })
  updateTerms(
    @FromCaller() caller: Caller,
    @PathId('taxRateId') id: number,
    @CheckedBody(TaxRateTermsDto) terms: Input<TaxRateTermsDto>,
  ) {
    return this.terms.update(caller, id, terms);
  }

  @Read('/api/TaxRate/:taxRateId/Terms', TaxRateTermsDto, {
    audience: 'merchant',
    operationId: 'getTaxRateTerms',
    summary: 'Gets the terms of a tax rate',
    addition: true,
  })
  getTerms(@FromCaller() caller: Caller, @PathId('taxRateId') id: number) {
    return this.terms.get(caller, id);
  }
}
