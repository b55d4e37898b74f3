import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { FromCaller } from '../http/caller.js';
import { Lists } from '../http/lists.js';
import { Idempotency } from '../http/idempotency.js';
import { Body, Id, PageOrWhole, type PageRequest, type Input } from '../http/parameters.js';
import { Create, List, Read, Remove, Update } from '../http/route.js';
import { TaxRate } from '../contract/tax-rate.dto.js';
import { TaxRateTerms } from '../contract/tax-rate-terms.dto.js';
import { TaxRateTermsService } from './tax-rate-terms.service.js';
import { TaxRatesService } from './tax-rates.service.js';

@Controller()
@ApiTags('Tax rates')
export class TaxRatesController {
  constructor(
    private readonly rates: TaxRatesService,
    private readonly terms: TaxRateTermsService,
    private readonly lists: Lists,
  ) {}

  @Create('/api/TaxRates', TaxRate, {
    audience: 'merchant',
    operationId: 'createTaxRate',
    summary: 'Creates a tax rate',
    collection: '/api/TaxRate',
  })
  create(@FromCaller() caller: Caller, @Body(TaxRate) rate: Input<TaxRate>, @Idempotency() once: Idempotency) {
    return this.rates.create(caller, rate, once);
  }

  @List('/api/TaxRates', TaxRate, {
    audience: 'merchant',
    operationId: 'listTaxRates',
    summary: 'Lists tax rates by Id',
  })
  list(@FromCaller() caller: Caller, @PageOrWhole() page: PageRequest) {
    return this.lists.answer(page, this.rates.list(caller));
  }

  @Update('/api/TaxRate/:taxRateId', TaxRate, {
    audience: 'merchant',
    operationId: 'updateTaxRate',
    summary: 'Updates the fields sent',
  })
  update(@FromCaller() caller: Caller, @Id('taxRateId') id: number, @Body(TaxRate) rate: Input<TaxRate>) {
    return this.rates.update(caller, id, rate);
  }

  @Read('/api/TaxRate/:taxRateId', TaxRate, {
    audience: 'merchant',
    operationId: 'getTaxRate',
    summary: 'Gets a tax rate',
  })
  get(@FromCaller() caller: Caller, @Id('taxRateId') id: number) {
    return this.rates.get(caller, id);
  }

  @Remove('/api/TaxRate/:taxRateId', {
    audience: 'merchant',
    operationId: 'deleteTaxRate',
    summary: 'Deletes a tax rate',
  })
  delete(@FromCaller() caller: Caller, @Id('taxRateId') id: number) {
    return this.rates.delete(caller, id);
  }

  @Update('/api/TaxRate/:taxRateId/Terms', TaxRateTerms, {
    audience: 'merchant',
    operationId: 'updateTaxRateTerms',
    summary: 'Updates the terms sent: priority, and whether shipping is taxed',
    addition: true,
  })
  updateTerms(
    @FromCaller() caller: Caller,
    @Id('taxRateId') id: number,
    @Body(TaxRateTerms) terms: Input<TaxRateTerms>,
  ) {
    return this.terms.update(caller, id, terms);
  }

  @Read('/api/TaxRate/:taxRateId/Terms', TaxRateTerms, {
    audience: 'merchant',
    operationId: 'getTaxRateTerms',
    summary: 'Gets the terms of a tax rate',
    addition: true,
  })
  getTerms(@FromCaller() caller: Caller, @Id('taxRateId') id: number) {
    return this.terms.get(caller, id);
  }
}
