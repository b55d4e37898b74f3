import { Injectable } from '@nestjs/common';
import type { Transaction } from '#libs/database';
import { ShippingRate } from '#libs/entities';
import {
  type Caller,
  chooseSite,
  Database,
  shippingRateView,
  SiteScopedService,
  together,
  type Values,
} from '#libs/records';
import { assertLocation } from './location.js';

@Injectable()
export class ShippingRatesService extends SiteScopedService<ShippingRate> {
  constructor(database: Database) {
    super(database, { entity: ShippingRate, view: shippingRateView, name: 'ShippingRate' });
  }

  protected override async validate(
    _: Transaction,
    caller: Caller,
    sent: Values<ShippingRate>,
    stored: ShippingRate | null,
  ) {
    await together(
      () => assertLocation({ ...stored, ...sent }),
      () => stored ?? chooseSite(caller, sent.siteId),
    );
    return sent;
  }
}
