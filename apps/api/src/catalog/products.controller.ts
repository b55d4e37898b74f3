import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { FromCaller } from '../http/caller.js';
import { Lists } from '../http/lists.js';
import { Idempotency } from '../http/idempotency.js';
import { Body, Id, PageOrWhole, type PageRequest, type Input } from '../http/parameters.js';
import { Create, List, Read, Remove, Update } from '../http/route.js';
import { Product } from '../contract/product.dto.js';
import { ProductsService } from './products.service.js';

@Controller()
@ApiTags('Products')
export class ProductsController {
  constructor(
    private readonly products: ProductsService,
    private readonly lists: Lists,
  ) {}

  @Create('/api/Products', Product, {
    audience: 'merchant',
    operationId: 'createProduct',
    summary: 'Creates a product',
  })
  create(@FromCaller() caller: Caller, @Body(Product) product: Input<Product>, @Idempotency() once: Idempotency) {
    return this.products.create(caller, product, once);
  }

  @List('/api/Products', Product, {
    audience: 'both',
    operationId: 'listProducts',
    summary: 'Lists products by Id',
    description: 'A Customer token sees those of its site.',
  })
  list(@FromCaller() caller: Caller, @PageOrWhole() page: PageRequest) {
    return this.lists.answer(page, this.products.list(caller));
  }

  @Update('/api/Products/:productId', Product, {
    audience: 'merchant',
    operationId: 'updateProduct',
    summary: 'Updates the fields sent',
  })
  update(@FromCaller() caller: Caller, @Id('productId') id: number, @Body(Product) product: Input<Product>) {
    return this.products.update(caller, id, product);
  }

  @Read('/api/Products/:productId', Product, {
    audience: 'both',
    operationId: 'getProduct',
    summary: 'Gets a product',
  })
  get(@FromCaller() caller: Caller, @Id('productId') id: number) {
    return this.products.get(caller, id);
  }

  @Remove('/api/Products/:productId', {
    audience: 'merchant',
    operationId: 'deleteProduct',
    summary: 'Deletes a product',
    description: 'Where an item embeds it, it stays readable and counts as unavailable.',
  })
  delete(@FromCaller() caller: Caller, @Id('productId') id: number) {
    return this.products.delete(caller, id);
  }
}
