import { Injectable } from '@nestjs/common';
import { Product, ShippingRate, type SiteRow, SiteSettings, TaxRate } from '#libs/entities';
import type { Transaction } from '#libs/platform';
import { Database, type EntityClass } from '#libs/records';

/** What every copy has of its own. */
const OWN = new Set(['id', 'site_id', 'created_utc', 'updated_utc', 'deleted_utc']);

/** Copies products, rates and settings of a site to a new one. They have the same order of ids there. */
@Injectable()
export class TestClockCopy {
  constructor(private readonly database: Database) {}

  async copy(tx: Transaction, from: number, to: number): Promise<void> {
    const columns = this.columnsOf(SiteSettings).join(', ');
    await tx.execute(
      `INSERT INTO site_settings (site_id, ${columns}) SELECT $2, ${columns} FROM site_settings WHERE site_id = $1`,
      [from, to],
    );
    for (const entity of [Product, ShippingRate, TaxRate]) await this.copyRows(tx, entity, from, to);
  }

  private async copyRows(tx: Transaction, entity: EntityClass<SiteRow>, from: number, to: number): Promise<void> {
    const { tableName } = this.database.metadata.getMetadata(entity);
    const columns = this.columnsOf(entity).join(', ');
    await tx.execute(
      `INSERT INTO ${tableName} (site_id, ${columns})
       SELECT $2, ${columns} FROM ${tableName} WHERE site_id = $1 AND deleted_utc IS NULL ORDER BY id`,
      [from, to],
    );
  }

  private columnsOf(entity: EntityClass<object>): string[] {
    const { columns } = this.database.metadata.getMetadata(entity);
    // What is not selected is made by the database.
    return columns
      .filter(({ isSelect, databaseName }) => isSelect && !OWN.has(databaseName))
      .map(({ databaseName }) => databaseName);
  }
}
