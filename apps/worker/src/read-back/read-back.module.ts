import { Module } from '@nestjs/common';
import { AddressRule, OutboundClient, type OutboundOptions, type Settings } from '#libs/platform';
import { GuardsModule } from '../guards/guards.module.js';
import { OUTBOUND, SETTINGS } from '../tokens.js';
import { ReadBack } from './read-back.js';

const client = {
  provide: OutboundClient,
  inject: [SETTINGS, OUTBOUND],
  useFactory: ({ outboundAllowedAddresses }: Settings, options: OutboundOptions) =>
    new OutboundClient(new AddressRule(outboundAllowedAddresses), options),
};

/** Reads what has become of pushed Orders in their shops: a part of the worker's role `pushes`. */
@Module({ imports: [GuardsModule], providers: [client, ReadBack], exports: [ReadBack] })
export class ReadBackModule {}
