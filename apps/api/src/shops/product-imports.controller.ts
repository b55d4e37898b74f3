import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { ProductImportDto } from '../contract/catalog/product-import.dto.js';
import { FromCaller } from '../http/caller.js';
import { Idempotency } from '../http/idempotency.js';
import { PathId } from '../http/parameters/parameters.js';
import { Read, Route } from '../http/route.js';
import { ProductImportsService } from './product-imports.service.js';

@Controller()
@ApiTags('Additions')
export class ProductImportsController {
  constructor(private readonly imports: ProductImportsService) {}

  @Route('POST', '/api/Site/:siteId/Shop/ImportProducts', {
    audience: 'merchant',
    operationId: 'importProducts',
    summary: 'Imports the products of a WooCommerce that the catalogue does not have',
    description:
      'What can be bought becomes a product, each variation one of its own, with its ExternalId there; products that the catalogue has stay as they are, unless StockSync is On. A worker does it, when the shop is Ready: read it until its State is `Done`. While one runs: 409.',
    status: 202,
    gives: ProductImportDto,
    errors: [404, 409, 422],
    addition: true,
  })
  begin(@FromCaller() caller: Caller, @PathId('siteId') id: number, @Idempotency() once: Idempotency) {
    return this.imports.begin(caller, id, once);
  }

  @Read('/api/Site/:siteId/Shop/ImportProducts', ProductImportDto, {
    audience: 'merchant',
    operationId: 'getProductImport',
    summary: 'Gets the present or latest import, and how far it is',
    addition: true,
  })
  get(@FromCaller() caller: Caller, @PathId('siteId') id: number) {
    return this.imports.get(caller, id);
  }
}
