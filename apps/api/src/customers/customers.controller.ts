import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { CustomerDto, CustomerSettingsDto } from '../contract/accounts/customer.dto.js';
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
import { CustomerSettingsService } from './customer-settings.service.js';
import { CustomersService, FILTERABLE } from './customers.service.js';

@Controller()
@ApiTags('Customers')
export class CustomersController {
  constructor(
    private readonly customers: CustomersService,
    private readonly settings: CustomerSettingsService,
    private readonly lists: Lists,
  ) {}

  @Create('/api/Customers', CustomerDto, {
    audience: 'merchant',
    operationId: 'createCustomer',
    summary: 'Creates a customer',
  })
  create(
    @FromCaller() caller: Caller,
    @CheckedBody(CustomerDto) customer: Input<CustomerDto>,
    @Idempotency() once: Idempotency,
  ) {
    return this.customers.create(caller, customer, once);
  }

  @List('/api/Customers', CustomerDto, {
    audience: 'merchant',
    operationId: 'listCustomers',
    summary: 'Lists customers by Id, 100 a page',
    description: CAN_BE_FILTERED,
  })
  list(@FromCaller() caller: Caller, @ListParameters(FILTERABLE, 1) request: ListRequest<null>) {
    return this.lists.query(request, {
      plain: () => this.customers.list(caller),
      filtered: (query) => this.customers.filter(caller, query),
    });
  }

  @Route('GET', '/api/Customers/Count', {
    audience: 'merchant',
    operationId: 'countCustomers',
    summary: 'Counts customers, exactly up to 10,000',
    gives: ListCountDto,
    errors: [400],
    addition: true,
  })
  async count(@FromCaller() caller: Caller, @CountParameters(FILTERABLE) filter: ListFilter<null>) {
    return this.lists.count(caller, await this.customers.filter(caller, filter));
  }

  @Update('/api/Customers/:customerId', CustomerDto, {
    audience: 'both',
    operationId: 'updateCustomer',
    summary: 'Updates the fields sent',
    description:
      'ShippingCountry is a country (ISO 3166-1 code or English name), or stays what it is: taxes depend on it. A Customer token may not clear it, and may not change ExternalId.',
  })
  update(
    @FromCaller() caller: Caller,
    @PathId('customerId') id: number,
    @CheckedBody(CustomerDto) customer: Input<CustomerDto>,
  ) {
    return this.customers.update(caller, id, customer);
  }

  @Read('/api/Customers/:customerId', CustomerDto, {
    audience: 'both',
    operationId: 'getCustomer',
    summary: 'Gets a customer',
  })
  get(@FromCaller() caller: Caller, @PathId('customerId') id: number) {
    return this.customers.get(caller, id);
  }

  @Remove('/api/Customers/:customerId', {
    audience: 'merchant',
    operationId: 'deleteCustomer',
    summary: 'Deletes a customer with its scheduled orders',
    description: 'Its tokens stop working. Completed orders stay: they are history.',
  })
  delete(@FromCaller() caller: Caller, @PathId('customerId') id: number) {
    return this.customers.delete(caller, id);
  }

  @Update('/api/Customers/:customerId/Settings', CustomerSettingsDto, {
    audience: 'merchant',
    operationId: 'updateCustomerSettings',
    summary: 'Updates the settings sent: exemption from tax, VAT number',
    addition: true,
  })
  updateSettings(
    @FromCaller() caller: Caller,
    @PathId('customerId') id: number,
    @CheckedBody(CustomerSettingsDto) settings: Input<CustomerSettingsDto>,
  ) {
    return this.settings.update(caller, id, settings);
  }

  @Read('/api/Customers/:customerId/Settings', CustomerSettingsDto, {
    audience: 'merchant',
    operationId: 'getCustomerSettings',
    summary: "Gets a customer's settings",
    addition: true,
  })
  getSettings(@FromCaller() caller: Caller, @PathId('customerId') id: number) {
    return this.settings.get(caller, id);
  }
}
