import { Injectable } from '@nestjs/common';
import { PaymentIntegration } from '#libs/entities';
import { faultOnSimulated, type GatewayCredentials, Gateways, keyFault, type PaymentMethodType } from '#libs/gateways';
import { integrationChanged } from '#libs/ledger';
import { type Transaction, Vault } from '#libs/platform';
import {
  type Caller,
  chooseSite,
  collectFaults,
  type Created,
  type CredentialViews,
  Database,
  decryptCredentials,
  encryptCredentials,
  INTEGRATION_CREDENTIALS,
  paymentIntegrationView,
  type RecordJson,
  Rejected,
  SiteScopedService,
  takeId,
  type Values,
  type View,
  viewsFor,
} from '#libs/records';
import { CallLimits } from '../http/load/call-limits.js';

/** With its credentials encrypted. */
interface StoredCredentials extends GatewayCredentials {
  readonly id: number;
  readonly siteId: number;
}

/**
 * The gateway accounts of sites. After every change of one, the orders that wait for it are tried again (decisions.md
 * §9, 1003).
 */
@Injectable()
export class PaymentIntegrationsService extends SiteScopedService<PaymentIntegration> {
  private readonly views: CredentialViews;

  constructor(
    database: Database,
    private readonly vault: Vault,
    private readonly gateways: Gateways,
    private readonly limits: CallLimits,
  ) {
    const views = viewsFor(vault, INTEGRATION_CREDENTIALS, paymentIntegrationView);
    super(database, { entity: PaymentIntegration, view: views.whole, name: 'PaymentIntegration' });
    this.views = views;
  }

  /** Asks the gateway, with no transaction open, whether the credentials work. */
  async verify(caller: Caller, id: number): Promise<string> {
    const stored = await this.selectOne<StoredCredentials>(caller, id, {
      name: 'credentials',
      columns: `x.id, x.site_id AS "siteId", x.payment_method_type AS type, x.test_mode AS "testMode",
        x.api_account AS "apiAccount", x.api_key1 AS "apiKey1", x.api_key2 AS "apiKey2"`,
    });
    await this.database.write((tx) => this.count(tx, caller));
    const credentials = decryptCredentials(this.vault, INTEGRATION_CREDENTIALS, stored);
    const verification = await this.gateways.for(id, credentials).verify();
    if (!verification.verified) return JSON.stringify({ Verified: false, Message: verification.message });
    await this.database.write((tx) => integrationChanged(tx, stored.siteId, stored.type));
    return JSON.stringify({ Verified: true });
  }

  protected override viewFor(caller: Caller): View {
    return this.views.viewFor(caller);
  }

  protected override async insert(tx: Transaction, caller: Caller, sent: Values<PaymentIntegration>): Promise<Created> {
    await this.count(tx, caller);
    return super.insert(tx, caller, sent);
  }

  /** As `validate` has chosen it. */
  protected override siteOf(): Promise<null> {
    return Promise.resolve(null);
  }

  protected override async created(tx: Transaction, _: Caller, made: Values<PaymentIntegration>): Promise<void> {
    await integrationChanged(tx, made.siteId!, made.paymentMethodType!);
  }

  protected override async change(
    tx: Transaction,
    caller: Caller,
    id: number,
    sent: Values<PaymentIntegration>,
  ): Promise<RecordJson> {
    const { siteId, paymentMethodType: before } = await this.load(tx, caller, id);
    await this.count(tx, caller);
    const json = await super.change(tx, caller, id, sent);
    for (const type of new Set([before, sent.paymentMethodType ?? before])) await integrationChanged(tx, siteId, type);
    return json;
  }

  protected override async deleted(tx: Transaction, caller: Caller, deleted: PaymentIntegration): Promise<void> {
    await this.count(tx, caller);
    await integrationChanged(tx, deleted.siteId, deleted.paymentMethodType);
  }

  protected override async validate(
    tx: Transaction,
    caller: Caller,
    sent: Values<PaymentIntegration>,
    stored: PaymentIntegration | null,
  ): Promise<Values<PaymentIntegration>> {
    const [id, type, siteId] = await collectFaults(
      () => stored?.id ?? takeId(tx, INTEGRATION_CREDENTIALS),
      () => typeOf(sent, stored),
      () => stored?.siteId ?? chooseSite(tx, caller, sent.siteId),
    );
    const isSimulated = await isOfSimulated(tx, siteId);
    await collectFaults(
      () => this.assertKey(type, sent, stored, isSimulated),
      () => assertOnlyOne(tx, siteId, type, stored?.id ?? null),
    );
    const encrypted = encryptCredentials(this.vault, INTEGRATION_CREDENTIALS, id, sent);
    return stored === null ? { ...encrypted, siteId, id } : encrypted;
  }

  /** Limits calls: a Verify calls the gateway, and so does the worker for orders that a change wakes. */
  private count(tx: Transaction, { userId }: Caller): Promise<void> {
    const label = 'Verify, and changes of payment integrations, of this account';
    return this.limits.take(tx, [{ subject: `integrations:account:${userId}`, most: 60, seconds: 60, label }]);
  }

  /**
   * Validates the record after the change. Errors that the key's form does not show appear at the first use
   * (decisions.md §12).
   */
  private assertKey(
    type: PaymentMethodType,
    sent: Values<PaymentIntegration>,
    stored: PaymentIntegration | null,
    isSimulated: boolean,
  ) {
    const testMode = sent.testMode ?? stored?.testMode ?? false;
    const apiKey1 = sent.apiKey1 === undefined && stored !== null ? this.storedKey(stored) : (sent.apiKey1 ?? null);
    const credentials = { type, apiKey1, testMode };
    const fault = (isSimulated ? faultOnSimulated(credentials) : null) ?? keyFault(credentials);
    if (fault !== null) throw new Rejected([fault]);
  }

  private storedKey({ id, apiKey1 }: PaymentIntegration): string | null {
    return this.vault.decrypt(apiKey1, { table: 'payment_integrations', column: 'api_key1', row: [id] });
  }
}

function typeOf(sent: Values<PaymentIntegration>, stored: PaymentIntegration | null): PaymentMethodType {
  const type = sent.paymentMethodType ?? stored?.paymentMethodType;
  if (type === undefined) throw new Rejected([{ field: 'PaymentMethodType', message: 'is required.' }]);
  return type;
}

async function isOfSimulated(tx: Transaction, siteId: number): Promise<boolean> {
  const [site] = await tx.execute<{ simulated: boolean }>(`SELECT simulated FROM sites WHERE id = $1`, [siteId]);
  return site?.simulated === true;
}

/**
 * One integration per site and type (decisions.md §2). The unique index catches concurrent requests.
 * @throws Rejected that names the existing one.
 */
async function assertOnlyOne(tx: Transaction, siteId: number, type: PaymentMethodType, id: number | null) {
  const [taken] = await tx.execute<{ id: number }>(
    `SELECT id FROM payment_integrations
     WHERE site_id = $1 AND payment_method_type = $2 AND deleted_utc IS NULL AND id IS DISTINCT FROM $3`,
    [siteId, type, id],
  );
  if (taken === undefined) return;
  const message = `Site ${siteId} has PaymentIntegration ${taken.id} for ${type} already: update that one.`;
  throw new Rejected([{ field: 'PaymentMethodType', message }]);
}
