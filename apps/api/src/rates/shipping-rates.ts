import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ShippingRate } from '#libs/entities';
import { type Caller, Database, shippingRateView, SiteRecords, type Values } from '#libs/records';
import { assertLocation } from './location.js';

@Injectable()
export class ShippingRates extends SiteRecords<ShippingRate> {
  constructor(database: Database) {
    super(database, { entity: ShippingRate, view: shippingRateView, name: 'ShippingRate' });
  }

  protected override judge(_: EntityManager, __: Caller, sent: Values<ShippingRate>, stored: ShippingRate | null) {
    assertLocation({ ...stored, ...sent });
    return Promise.resolve(sent);
  }
}
