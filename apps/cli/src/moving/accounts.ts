import type { GatewayCredentials, Gateways, PaymentGateway, PaymentMethodType } from '#libs/gateways';
import { type SqlExecutor, type Vault } from '#libs/platform';
import { decryptCredentials, INTEGRATION_CREDENTIALS } from '#libs/records';

/** A site's account at a gateway. */
export interface Account {
  readonly integrationId: number;
  readonly type: PaymentMethodType;
  /** No money moves. */
  readonly testMode: boolean;
  readonly gateway: PaymentGateway;
}

interface Stored extends GatewayCredentials {
  readonly id: number;
}

/** The integrations of a site, one of each type at most. uq_payment_integrations_type. @throws DecryptionError */
export async function accountsOf(
  database: SqlExecutor,
  vault: Vault,
  gateways: Gateways,
  siteId: number,
): Promise<ReadonlyMap<PaymentMethodType, Account>> {
  const rows = await database.execute<Stored>(
    `SELECT id, payment_method_type AS type, test_mode AS "testMode", api_account AS "apiAccount",
       api_key1 AS "apiKey1", api_key2 AS "apiKey2"
     FROM payment_integrations WHERE site_id = $1 AND deleted_utc IS NULL`,
    [siteId],
  );
  return new Map(
    rows.map((row) => {
      const { type, testMode, id } = row;
      const gateway = gateways.for(id, decryptCredentials(vault, INTEGRATION_CREDENTIALS, row));
      return [type, { integrationId: id, type, testMode, gateway }];
    }),
  );
}
