import type { MigrationInterface, QueryRunner } from 'typeorm';

const utc = (column: string, name: string) =>
  `to_char(NEW.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "${name}"`;

const address = (
  column: string,
  name: string,
) => `NEW.${column}_first_name AS "${name}FirstName", NEW.${column}_last_name AS "${name}LastName",
      NEW.${column}_street1 AS "${name}Street1", NEW.${column}_street2 AS "${name}Street2", NEW.${column}_city AS "${name}City",
      NEW.${column}_state AS "${name}State", NEW.${column}_postcode AS "${name}Postcode", NEW.${column}_country AS "${name}Country"`;

/** The fields of the contract, in its order. */
const FIELDS = {
  products: `NEW.id AS "Id", NEW.site_id AS "SiteId", NEW.external_id AS "ExternalId", NEW.availability AS "Availability",
      NEW.stock_level AS "StockLevel", NEW.type AS "Type", NEW.sku AS "Sku", NEW.title AS "Title", NEW.description AS "Description",
      trim_scale(NEW.price) AS "Price", trim_scale(NEW.sale_price) AS "SalePrice", NEW.length AS "Length", NEW.width AS "Width",
      NEW.height AS "Height", NEW.weight AS "Weight", NEW.shipping_class AS "ShippingClass", NEW.tax_class AS "TaxClass",
      NEW.image_url AS "ImageUrl", NEW.image_thumb_url AS "ImageThumbUrl",
      ${utc('created_utc', 'CreatedUtc')}, ${utc('updated_utc', 'UpdatedUtc')}`,
  customers: `NEW.id AS "Id", NEW.site_id AS "SiteId", NEW.external_id AS "ExternalId", NEW.email AS "Email",
      NEW.first_name AS "FirstName", NEW.last_name AS "LastName", ${utc('created', 'Created')},
      ${address('shipping', 'Shipping')},
      ${address('billing', 'Billing')},
      ${utc('created_utc', 'CreatedUtc')}, ${utc('updated_utc', 'UpdatedUtc')}`,
};

/** In the order in which requests and workers lock them: so no deadlock is possible. */
const LOCK = `LOCK TABLE customers, products IN ACCESS EXCLUSIVE MODE`;

/** Half a page. */
const ROW_BYTES = 4_080;

/**
 * The JSON of a product and of a customer, made when they are written: to build it for each order that embeds it was half of the time that PostgreSQL
 * took for a list of orders. Triggers keep it, so every process does, and an older one too. Rows that were there before have none until `migrate`
 * has filled them, a few at a time, outside of this transaction: `json_fills` says how far it is.
 */
export class ReadyMadeJson1780000000026 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LOCK);
    // A long description takes its place twice. By default PostgreSQL then keeps the JSON outside of the row: two more reads for each item of an order.
    await runner.query(`ALTER TABLE products SET (toast_tuple_target = ${ROW_BYTES})`);
    await runner.query(`CREATE TABLE json_fills (
        table_name varchar(63) NOT NULL,
        filled_upto bigint NOT NULL DEFAULT 0,
        CONSTRAINT pk_json_fills PRIMARY KEY (table_name)
    )`);
    for (const [table, fields] of Object.entries(FIELDS)) {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN json json`);
      await runner.query(`CREATE FUNCTION make_${table}_json() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.json := (SELECT row_to_json(resource) FROM (SELECT ${fields}) resource);
  RETURN NEW;
END $$`);
      await runner.query(`CREATE TRIGGER tr_${table}_json BEFORE INSERT OR UPDATE ON ${table}
        FOR EACH ROW EXECUTE FUNCTION make_${table}_json()`);
      await runner.query(`INSERT INTO json_fills (table_name) SELECT '${table}' WHERE EXISTS (SELECT FROM ${table})`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(LOCK);
    for (const table of Object.keys(FIELDS)) {
      await runner.query(`DROP TRIGGER tr_${table}_json ON ${table}`);
      await runner.query(`DROP FUNCTION make_${table}_json`);
      await runner.query(`ALTER TABLE ${table} DROP COLUMN json`);
    }
    await runner.query(`DROP TABLE json_fills`);
    await runner.query(`ALTER TABLE products RESET (toast_tuple_target)`);
  }
}
