import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { PaymentMethodDto } from '../contract/payments/payment-method.dto.js';
import { FromCaller } from '../http/caller.js';
import { Idempotency } from '../http/idempotency.js';
import { Lists } from '../http/lists/lists.js';
import { CheckedBody, type Input, Page, type PageRequest, PathId } from '../http/parameters/parameters.js';
import { Create, List, Read, Remove, Route, Update } from '../http/route.js';
import { PaymentMethodSearch, SearchQuery } from './payment-method-search.dto.js';
import { PaymentMethodsService } from './payment-methods.service.js';

@Controller()
@ApiTags('Payment methods')
export class PaymentMethodsController {
  constructor(
    private readonly methods: PaymentMethodsService,
    private readonly lists: Lists,
  ) {}

  @List('/api/Customers/:customerId/PaymentMethods', PaymentMethodDto, {
    audience: 'both',
    operationId: 'listPaymentMethods',
    summary: "Lists a customer's payment methods by Id, 100 a page",
    errors: [404],
  })
  async list(@FromCaller() caller: Caller, @PathId('customerId') customerId: number, @Page() page: PageRequest) {
    return this.lists.answer(page, await this.methods.listOfCustomer(caller, customerId));
  }

  @Route('GET', '/api/Customers/:customerId/PaymentMethods/PageCount', {
    audience: 'both',
    operationId: 'countPaymentMethodPages',
    summary: "Counts the pages of a customer's payment methods",
    gives: { schema: { type: 'integer', format: 'int64', minimum: 0, example: 1 } },
    errors: [400, 404],
  })
  async pageCount(@FromCaller() caller: Caller, @PathId('customerId') customerId: number) {
    return String(await (await this.methods.listOfCustomer(caller, customerId)).pageCount());
  }

  @List('/api/Customers/:customerId/PaymentMethods/Search', PaymentMethodDto, {
    audience: 'both',
    operationId: 'searchPaymentMethods',
    summary: "Finds a customer's payment methods by type and gateway ids",
    errors: [404],
  })
  search(
    @FromCaller() caller: Caller,
    @PathId('customerId') customerId: number,
    @SearchQuery() search: Input<PaymentMethodSearch>,
  ) {
    return this.methods.search(caller, customerId, search);
  }

  @Create('/api/Customers/:customerId/PaymentMethods', PaymentMethodDto, {
    audience: 'both',
    operationId: 'createPaymentMethod',
    summary: 'Stores a payment method of a customer',
    errors: [404],
    addition: true,
  })
  create(
    @FromCaller() caller: Caller,
    @PathId('customerId') customerId: number,
    @CheckedBody(PaymentMethodDto) method: Input<PaymentMethodDto>,
    @Idempotency() once: Idempotency,
  ) {
    return this.methods.createOf(caller, customerId, method, once);
  }

  @Read('/api/Customers/:customerId/PaymentMethods/:paymentMethodId', PaymentMethodDto, {
    audience: 'both',
    operationId: 'getPaymentMethod',
    summary: 'Gets a payment method',
    addition: true,
  })
  get(@FromCaller() caller: Caller, @PathId('customerId') customerId: number, @PathId('paymentMethodId') id: number) {
    return this.methods.getOf(caller, customerId, id);
  }

  @Update('/api/Customers/:customerId/PaymentMethods/:paymentMethodId', PaymentMethodDto, {
    audience: 'both',
    operationId: 'updatePaymentMethod',
    summary: 'Updates the fields sent',
    description:
      'Scheduled orders that use the card follow it to other gateway ids. A Customer token may only change Description and billing fields.',
    addition: true,
  })
  update(
    @FromCaller() caller: Caller,
    @PathId('customerId') customerId: number,
    @PathId('paymentMethodId') id: number,
    @CheckedBody(PaymentMethodDto) method: Input<PaymentMethodDto>,
  ) {
    return this.methods.updateOf(caller, customerId, id, method);
  }

  @Remove('/api/Customers/:customerId/PaymentMethods/:paymentMethodId', {
    audience: 'both',
    operationId: 'deletePaymentMethod',
    summary: 'Deletes a payment method that no scheduled order uses',
    addition: true,
  })
  delete(
    @FromCaller() caller: Caller,
    @PathId('customerId') customerId: number,
    @PathId('paymentMethodId') id: number,
  ) {
    return this.methods.deleteOf(caller, customerId, id);
  }
}
