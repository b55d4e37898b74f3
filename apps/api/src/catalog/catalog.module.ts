import { Module } from '@nestjs/common';
import { ProductsController } from './products.controller.js';
import { Products } from './products.js';

@Module({ controllers: [ProductsController], providers: [Products], exports: [Products] })
export class CatalogModule {}
