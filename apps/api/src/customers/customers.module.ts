import { Module } from '@nestjs/common';
import { CustomersController } from './customers.controller.js';
import { Customers } from './customers.js';

@Module({ controllers: [CustomersController], providers: [Customers], exports: [Customers] })
export class CustomersModule {}
