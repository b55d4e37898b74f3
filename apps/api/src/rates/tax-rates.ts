import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { TaxRate } from '#libs/entities';
import { type Caller, Database, taxRateView, SiteRecords, type Values } from '#libs/records';
import { assertLocation } from './location.js';

@Injectable()
export class TaxRates extends SiteRecords<TaxRate> {
  constructor(database: Database) {
    super(database, { entity: TaxRate, view: taxRateView, name: 'TaxRate' });
  }

  protected override judge(_: EntityManager, __: Caller, sent: Values<TaxRate>, stored: TaxRate | null) {
    assertLocation({ ...stored, ...sent });
    return Promise.resolve(sent);
  }
}
