import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  type EntityClass,
  Product,
  ShippingRate,
  type SiteRow,
  SiteSettings,
  tableOf,
  TaxRate,
} from '#libs/entities';
import type { Transaction } from '#libs/platform';

/** What every copy has of its own, and what the shop has said, which is not copied. */
const OWN = new Set(['id', 'site_id', 'created_utc', 'updated_utc', 'deleted_utc', 'unsellable', 'asked_utc']);

/** Copies products, rates and settings of a site to a new one. They have the same order of ids there. */
@Injectable()
export class TestClockCopy {
  async copy(tx: Transaction, from: number, to: number): Promise<void> {
    const columns = columnsToCopy(SiteSettings);
    await tx.execute(
      `INSERT INTO site_settings (site_id, ${columns}) SELECT $2, ${columns} FROM site_settings WHERE site_id = $1`,
      [from, to],
    );
    for (const entity of [Product, ShippingRate, TaxRate]) await this.copyRows(tx, entity, from, to);
  }

  private async copyRows(tx: Transaction, entity: EntityClass<SiteRow>, from: number, to: number): Promise<void> {
    const [table, columns] = [tableOf(entity), columnsToCopy(entity)];
    await tx.execute(
      `INSERT INTO ${table} (site_id, ${columns})
       SELECT $2, ${columns} FROM ${table} WHERE site_id = $1 AND deleted_utc IS NULL ORDER BY id`,
      [from, to],
    );
  }
}

/** What is not selected is made by the database. */
const columnsToCopy = (entity: EntityClass): string =>
  columnsOf(entity)
    .filter(({ isSelected, name }) => isSelected && !OWN.has(name))
    .map(({ name }) => name)
    .join(', ');
