import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { ProductDto } from '../contract/catalog/product.dto.js';
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
import { FILTERABLE, ProductsService } from './products.service.js';

@Controller()
@ApiTags('Products')
export class ProductsController {
  constructor(
    private readonly products: ProductsService,
    private readonly lists: Lists,
  ) {}

  @Create('/api/Products', ProductDto, {
    audience: 'merchant',
    operationId: 'createProduct',
    summary: 'Creates a product',
  })
  create(
    @FromCaller() caller: Caller,
    @CheckedBody(ProductDto) product: Input<ProductDto>,
    @Idempotency() once: Idempotency,
  ) {
    return this.products.create(caller, product, once);
  }

  @List('/api/Products', ProductDto, {
    audience: 'both',
    operationId: 'listProducts',
    summary: 'Lists products by Id',
    description: `A Customer token sees those of its site. ${CAN_BE_FILTERED}`,
  })
  list(@FromCaller() caller: Caller, @ListParameters(FILTERABLE) request: ListRequest<null>) {
    return this.lists.query(request, {
      plain: () => this.products.list(caller),
      filtered: (query) => this.products.filter(caller, query),
    });
  }

  @Route('GET', '/api/Products/Count', {
    audience: 'both',
    operationId: 'countProducts',
    summary: 'Counts products, exactly up to 10,000',
    gives: ListCountDto,
    errors: [400],
    addition: true,
  })
  async count(@FromCaller() caller: Caller, @CountParameters(FILTERABLE) filter: ListFilter<null>) {
    return this.lists.count(caller, await this.products.filter(caller, filter));
  }

  @Update('/api/Products/:productId', ProductDto, {
    audience: 'merchant',
    operationId: 'updateProduct',
    summary: 'Updates the fields sent',
  })
  update(
    @FromCaller() caller: Caller,
    @PathId('productId') id: number,
    @CheckedBody(ProductDto) product: Input<ProductDto>,
  ) {
    return this.products.update(caller, id, product);
  }

  @Read('/api/Products/:productId', ProductDto, {
    audience: 'both',
    operationId: 'getProduct',
    summary: 'Gets a product',
  })
  get(@FromCaller() caller: Caller, @PathId('productId') id: number) {
    return this.products.get(caller, id);
  }

  @Remove('/api/Products/:productId', {
    audience: 'merchant',
    operationId: 'deleteProduct',
    summary: 'Deletes a product',
    description: 'Where an item embeds it, it stays readable and counts as unavailable.',
  })
  delete(@FromCaller() caller: Caller, @PathId('productId') id: number) {
    return this.products.delete(caller, id);
  }
}
