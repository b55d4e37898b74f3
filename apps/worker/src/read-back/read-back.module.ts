import { Module } from '@nestjs/common';
import { GuardsModule } from '../guards/guards.module.js';
import { ReadBack } from './read-back.js';

/** Reads what has become of pushed Orders in their shops: a part of the worker's role `pushes`. */
@Module({ imports: [GuardsModule], providers: [ReadBack], exports: [ReadBack] })
export class ReadBackModule {}
