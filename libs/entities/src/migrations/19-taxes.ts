import type { MigrationInterface, QueryRunner } from 'typeorm';

const TRIGGERS = {
  INSERT: 'REFERENCING NEW TABLE AS new_rates',
  UPDATE: 'REFERENCING OLD TABLE AS old_rates NEW TABLE AS new_rates',
  DELETE: 'REFERENCING OLD TABLE AS old_rates',
  TRUNCATE: '',
};

/**
 * What shops say of their prices and taxes beyond the contract's fields. A site without a row has the defaults. Prices depend on the settings as
 * they do on rates: writing them raises the site's version (migration 11).
 */
export class Taxes1780000000019 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE tax_rates ADD COLUMN priority integer`);
    await runner.query(`ALTER TABLE tax_rates ADD COLUMN applies_to_shipping boolean NOT NULL DEFAULT false`);
    await runner.query(`ALTER TABLE customers ADD COLUMN tax_exempt boolean NOT NULL DEFAULT false`);
    await runner.query(`ALTER TABLE customers ADD COLUMN vat_number varchar(255)`);
    await runner.query(`CREATE TABLE site_settings (
        site_id bigint NOT NULL,
        prices text NOT NULL DEFAULT 'Net',
        home_country varchar(255),
        home_state varchar(255),
        home_city varchar(255),
        home_postcode varchar(255),
        gross_outside text NOT NULL DEFAULT 'Keep',
        min_subtotal_gross boolean NOT NULL DEFAULT false,
        shipping_prices text NOT NULL DEFAULT 'Net',
        shipping_tax text NOT NULL DEFAULT 'None',
        round_tax text NOT NULL DEFAULT 'Line',
        CONSTRAINT pk_site_settings PRIMARY KEY (site_id),
        CONSTRAINT ck_site_settings_prices CHECK (prices IN ('Net', 'Gross')),
        CONSTRAINT ck_site_settings_gross_outside CHECK (gross_outside IN ('Keep', 'RemoveTax', 'Adjust')),
        CONSTRAINT ck_site_settings_shipping_prices CHECK (shipping_prices IN ('Net', 'Gross')),
        CONSTRAINT ck_site_settings_shipping_tax CHECK (shipping_tax IN ('None', 'ByRate', 'Proportional', 'HighestRate')),
        CONSTRAINT ck_site_settings_round_tax CHECK (round_tax IN ('Line', 'Total'))
    )`);
    await runner.query(
      `ALTER TABLE site_settings ADD CONSTRAINT fk_site_settings_site_id FOREIGN KEY (site_id) REFERENCES sites(id)`,
    );
    for (const [event, rows] of Object.entries(TRIGGERS)) {
      await runner.query(`CREATE TRIGGER tr_site_settings_${event.toLowerCase()} AFTER ${event} ON site_settings ${rows}
        FOR EACH STATEMENT EXECUTE FUNCTION raise_rate_versions()`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE site_settings`);
    await runner.query(`ALTER TABLE customers DROP COLUMN vat_number`);
    await runner.query(`ALTER TABLE customers DROP COLUMN tax_exempt`);
    await runner.query(`ALTER TABLE tax_rates DROP COLUMN applies_to_shipping`);
    await runner.query(`ALTER TABLE tax_rates DROP COLUMN priority`);
  }
}
