import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { TaxRateDto, TaxRateTermsDto } from '../contract/catalog/tax-rate.dto.js';
import { ListCountDto } from '../contract/orders/list-count.dto.js';
import { FromCaller } from '../http/caller.js';
import { Idempotency } from '../http/idempotency.js';
import { Lists } from '../http/lists/lists.js';
import { Body, Id, type Input } from '../http/parameters/parameters.js';
import { AskedCount, AskedList, CAN_BE_ASKED, type ListRequest, type Question } from '../http/query/index.js';
import { Create, List, Read, Remove, Route, Update } from '../http/route.js';
import { ASKABLE_TAX_RATES as ASKABLE } from './asked-rates.js';
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

  @Create('/api/TaxRates', TaxRateDto, {
    audience: 'merchant',
    operationId: 'createTaxRate',
    summary: 'Creates a tax rate',
    collection: '/api/TaxRate',
  })
  create(@FromCaller() caller: Caller, @Body(TaxRateDto) rate: Input<TaxRateDto>, @Idempotency() once: Idempotency) {
    return this.rates.create(caller, rate, once);
  }

  @List('/api/TaxRates', TaxRateDto, {
    audience: 'merchant',
    operationId: 'listTaxRates',
    summary: 'Lists tax rates by Id',
    description: CAN_BE_ASKED,
  })
  list(@FromCaller() caller: Caller, @AskedList(ASKABLE) request: ListRequest<null>) {
    return this.lists.ask(request, {
      plain: () => this.rates.list(caller),
      asked: (asked) => this.rates.ask(caller, asked),
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
  async count(@FromCaller() caller: Caller, @AskedCount(ASKABLE) question: Question<null>) {
    return this.lists.count(caller, await this.rates.ask(caller, question));
  }

  @Update('/api/TaxRate/:taxRateId', TaxRateDto, {
    audience: 'merchant',
    operationId: 'updateTaxRate',
    summary: 'Updates the fields sent',
  })
  update(@FromCaller() caller: Caller, @Id('taxRateId') id: number, @Body(TaxRateDto) rate: Input<TaxRateDto>) {
    return this.rates.update(caller, id, rate);
  }

  @Read('/api/TaxRate/:taxRateId', TaxRateDto, {
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

  @Update('/api/TaxRate/:taxRateId/Terms', TaxRateTermsDto, {
    audience: 'merchant',
    operationId: 'updateTaxRateTerms',
    summary: 'Updates the terms sent: priority, and whether shipping is taxed',
    addition: true,
  })
  updateTerms(
    @FromCaller() caller: Caller,
    @Id('taxRateId') id: number,
    @Body(TaxRateTermsDto) terms: Input<TaxRateTermsDto>,
  ) {
    return this.terms.update(caller, id, terms);
  }

  @Read('/api/TaxRate/:taxRateId/Terms', TaxRateTermsDto, {
    audience: 'merchant',
    operationId: 'getTaxRateTerms',
    summary: 'Gets the terms of a tax rate',
    addition: true,
  })
  getTerms(@FromCaller() caller: Caller, @Id('taxRateId') id: number) {
    return this.terms.get(caller, id);
  }
}
