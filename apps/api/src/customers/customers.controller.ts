import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { FromCaller } from '../http/caller.js';
import { Lists } from '../http/lists.js';
import { Idempotency } from '../http/idempotency.js';
import { Body, Id, Page, type PageRequest, type Input } from '../http/parameters.js';
import { Create, List, Read, Remove, Update } from '../http/route.js';
import { Customer } from '../contract/customer.dto.js';
import { CustomerSettings } from '../contract/customer-settings.dto.js';
import { CustomerSettingsService } from './customer-settings.service.js';
import { CustomersService } from './customers.service.js';

@Controller()
@ApiTags('Customers')
export class CustomersController {
  constructor(
    private readonly customers: CustomersService,
    private readonly settings: CustomerSettingsService,
    private readonly lists: Lists,
  ) {}

  @Create('/api/Customers', Customer, {
    audience: 'merchant',
    operationId: 'createCustomer',
    summary: 'Creates a customer',
  })
  create(@FromCaller() caller: Caller, @Body(Customer) customer: Input<Customer>, @Idempotency() once: Idempotency) {
    return this.customers.create(caller, customer, once);
  }

  @List('/api/Customers', Customer, {
    audience: 'merchant',
    operationId: 'listCustomers',
    summary: 'Lists customers by Id, 100 a page',
  })
  list(@FromCaller() caller: Caller, @Page() page: PageRequest) {
    return this.lists.answer(page, this.customers.list(caller));
  }

  @Update('/api/Customers/:customerId', Customer, {
    audience: 'both',
    operationId: 'updateCustomer',
    summary: 'Updates the fields sent',
    description:
      'ShippingCountry is a country (ISO 3166-1 code or English name), or stays what it is: taxes depend on it. A Customer token may not clear it, and may not change ExternalId.',
  })
  update(@FromCaller() caller: Caller, @Id('customerId') id: number, @Body(Customer) customer: Input<Customer>) {
    return this.customers.update(caller, id, customer);
  }

  @Read('/api/Customers/:customerId', Customer, {
    audience: 'both',
    operationId: 'getCustomer',
    summary: 'Gets a customer',
  })
  get(@FromCaller() caller: Caller, @Id('customerId') id: number) {
    return this.customers.get(caller, id);
  }

  @Remove('/api/Customers/:customerId', {
    audience: 'merchant',
    operationId: 'deleteCustomer',
    summary: 'Deletes a customer with its scheduled orders',
    description: 'Its tokens stop working. Completed orders stay: they are history.',
  })
  delete(@FromCaller() caller: Caller, @Id('customerId') id: number) {
    return this.customers.delete(caller, id);
  }

  @Update('/api/Customers/:customerId/Settings', CustomerSettings, {
    audience: 'merchant',
    operationId: 'updateCustomerSettings',
    summary: 'Updates the settings sent: exemption from tax, VAT number',
    addition: true,
  })
  updateSettings(
    @FromCaller() caller: Caller,
    @Id('customerId') id: number,
    @Body(CustomerSettings) settings: Input<CustomerSettings>,
  ) {
    return this.settings.update(caller, id, settings);
  }

  @Read('/api/Customers/:customerId/Settings', CustomerSettings, {
    audience: 'merchant',
    operationId: 'getCustomerSettings',
    summary: "Gets a customer's settings",
    addition: true,
  })
  getSettings(@FromCaller() caller: Caller, @Id('customerId') id: number) {
    return this.settings.get(caller, id);
  }
}
