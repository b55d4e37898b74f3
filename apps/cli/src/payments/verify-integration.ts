import { type GatewayCredentials, type Gateways, type Verification } from '#libs/gateways';
import { integrationChanged } from '#libs/ledger';
import { type ConnectionPool, type Vault } from '#libs/platform';
import { decryptCredentials, INTEGRATION_CREDENTIALS } from '#libs/records';
import { Refusal } from '../refusal.js';

interface StoredIntegration extends GatewayCredentials {
  readonly id: number;
  readonly siteId: number;
}

/**
 * Asks the gateway whether a stored integration's credentials work. If they do, the orders that wait for it are tried
 * at once.
 * @throws Refusal when there is no such integration.
 */
export async function verifyIntegration(
  database: ConnectionPool,
  vault: Vault,
  gateways: Gateways,
  id: number,
): Promise<Verification> {
  const [stored] = await database.execute<StoredIntegration>(
    `SELECT id, site_id AS "siteId", payment_method_type AS type, test_mode AS "testMode",
       api_account AS "apiAccount", api_key1 AS "apiKey1", api_key2 AS "apiKey2"
     FROM payment_integrations WHERE id = $1 AND deleted_utc IS NULL`,
    [id],
  );
  if (stored === undefined) throw new Refusal(`There is no payment integration ${id}.`);
  const credentials = decryptCredentials(vault, INTEGRATION_CREDENTIALS, stored);
  const verification = await gateways.for(id, credentials).verify();
  if (verification.verified) {
    await database.transaction((tx) => integrationChanged(tx, stored.siteId, stored.type));
  }
  return verification;
}
