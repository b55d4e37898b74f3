import { Module } from '@nestjs/common';
import { GuardsModule } from '../guards/guards.module.js';
import { Housekeeping } from './housekeeping.js';

@Module({ imports: [GuardsModule], providers: [Housekeeping], exports: [Housekeeping] })
export class HousekeepingModule {}
