import { Injectable } from '@nestjs/common';
import { PaymentMethod } from '#libs/entities';
import type { Transaction } from '#libs/platform';
import {
  allowGatewayCustomer,
  type Answer,
  type Caller,
  Database,
  deleteRow,
  entityOf,
  Forbidden,
  type Idempotency,
  type Listing,
  NotFound,
  paymentMethodView,
  type RecordJson,
  Rejected,
  SiteScopedService,
  type Values,
  wireName,
} from '#libs/records';
import { CustomersService } from '../customers/customers.service.js';
import type { Input } from '../http/parameters/parameters.js';
import { assertUnused, type Card, followCard, isSameCard, lockOrdersOf } from './card-in-use.js';
import type { PaymentMethodSearch } from './payment-method-search.dto.js';

type SentMethod = Values<PaymentMethod>;

/** Those of the customer called `x` that are not deleted: `ix_payment_methods_customer`. */
const METHODS = 'payment_methods m WHERE m.customer_id = x.id AND m.deleted_utc IS NULL';

const CARD = ['type', 'gatewayCustomerId', 'gatewayPaymentId'] as const;
const NO_CARD = { type: null, gatewayCustomerId: null, gatewayPaymentId: null };

/** The cards of a customer. Only callers that may reach the customer reach them. */
@Injectable()
export class PaymentMethodsService extends SiteScopedService<PaymentMethod> {
  constructor(
    database: Database,
    private readonly customers: CustomersService,
  ) {
    super(database, {
      entity: PaymentMethod,
      view: paymentMethodView,
      name: 'PaymentMethod',
      ownedBy: (alias, customerId) => `${alias}.customer_id = ${customerId}`,
    });
  }

  /** @throws NotFound and Forbidden, like reading the customer. */
  async listOfCustomer(caller: Caller, customerId: number): Promise<Listing> {
    await this.customers.selectOne(caller, customerId, { name: 'ofPaymentMethods', columns: 'x.id' });
    return this.listOf(customerId);
  }

  async search(caller: Caller, customerId: number, search: Input<PaymentMethodSearch>): Promise<string> {
    const columns = `(SELECT coalesce(json_agg(${paymentMethodView.json('m')} ORDER BY m.id), '[]'::json)::text
        FROM ${METHODS} AND ($3::text IS NULL OR m.type = $3) AND ($4::text IS NULL OR m.gateway_payment_id = $4)
          AND ($5::text IS NULL OR m.gateway_customer_id = $5)) AS json`;
    const { type = null, gatewayPaymentId = null, gatewayCustomerId = null } = search;
    const values = [type, gatewayPaymentId, gatewayCustomerId];
    return (
      await this.customers.selectOne<{ json: string }>(caller, customerId, { name: 'searchMethods', columns, values })
    ).json;
  }

  /** @throws NotFound also for a payment method of another customer than the path's. */
  async getOf(caller: Caller, customerId: number, id: number): Promise<string> {
    const columns = `(SELECT ${paymentMethodView.json('m')}::text FROM ${METHODS} AND m.id = $3) AS json`;
    const shown = { name: 'paymentMethod', columns, values: [id] };
    const { json } = await this.customers.selectOne<{ json: string | null }>(caller, customerId, shown);
    if (json === null) throw new NotFound(`Customer ${customerId} has no PaymentMethod ${id}.`);
    return json;
  }

  createOf(caller: Caller, customerId: number, sent: SentMethod, once: Idempotency): Promise<Answer> {
    assertCustomer(customerId, sent);
    return this.create(caller, { ...sent, customerId }, once);
  }

  /** A payment method never changes its customer, so a check before the transaction is also true inside it. */
  async updateOf(caller: Caller, customerId: number, id: number, sent: SentMethod): Promise<RecordJson> {
    await this.getOf(caller, customerId, id);
    assertCustomer(customerId, sent);
    return this.update(caller, id, sent);
  }

  async deleteOf(caller: Caller, customerId: number, id: number): Promise<void> {
    await this.getOf(caller, customerId, id);
    await this.database.write(async (tx) => {
      await assertUnused(tx, await this.load(tx, caller, id), ['paymentMethodId']);
      await deleteRow(tx, 'payment_methods', id);
    });
  }

  /**
   * The orders that use the card get its changes, under the card's lock. Saving an order with the card takes the same
   * lock.
   */
  protected override async change(tx: Transaction, caller: Caller, id: number, sent: SentMethod) {
    await this.lockFollowers(tx, id, sent);
    const before = await this.load(tx, caller, id);
    const json = await super.change(tx, caller, id, sent);
    const now = { ...before, ...sent };
    if (!isSameCard(before, now)) await followCard(tx, caller, before, now);
    return json;
  }

  /** Locks the orders before their card, in the same order as saving an order does, so that there is no deadlock. */
  private async lockFollowers(tx: Transaction, id: number, sent: SentMethod): Promise<void> {
    const [row] = await tx.execute<object>(`SELECT * FROM payment_methods WHERE id = $1`, [id]);
    const method = entityOf(PaymentMethod, row!);
    if (!isSameCard(method, { ...method, ...sent })) await lockOrdersOf(tx, method);
  }

  /** Its customer's, which `validate` reads. */
  protected override siteOf(): Promise<null> {
    return Promise.resolve(null);
  }

  protected override async validate(tx: Transaction, caller: Caller, sent: SentMethod, stored: PaymentMethod | null) {
    const { siteId } = stored ?? (await this.customers.load(tx, caller, sent.customerId!));
    const card: Card = { customerId: sent.customerId!, ...NO_CARD, ...stored, ...sent };
    if (stored !== null && isSameCard(stored, card)) return sent;
    if (stored !== null && caller.scope === 'Customer') {
      throw new Forbidden(
        'The card is the shop’s to change: a Customer token may change Description and billing fields.',
      );
    }
    await allowGatewayCustomer(tx, caller, card);
    await assertOnlyOne(tx, card, stored?.id ?? null);
    if (stored !== null) await assertUnused(tx, stored, CARD.filter((part) => card[part] === null).map(wireName));
    return { ...sent, siteId };
  }
}

function assertCustomer(customerId: number, sent: SentMethod): void {
  if (sent.customerId === undefined || sent.customerId === customerId) return;
  const message = `The payment method is customer ${customerId}'s, as the path says: leave it out.`;
  throw new Rejected([{ field: 'CustomerId', message }]);
}

/**
 * One record per customer, type and pair of gateway ids (decisions.md §12): `uq_payment_methods_gateway_ids`, which
 * also catches concurrent requests.
 * @throws Rejected naming the one that is there.
 */
async function assertOnlyOne(tx: Transaction, card: Card, id: number | null): Promise<void> {
  const [taken] = await tx.execute<{ id: number }>(
    `SELECT id FROM payment_methods WHERE customer_id = $1 AND type = $2 AND gateway_customer_id = $3 AND gateway_payment_id = $4
       AND deleted_utc IS NULL AND id IS DISTINCT FROM $5`,
    [card.customerId, card.type, card.gatewayCustomerId, card.gatewayPaymentId, id],
  );
  if (taken === undefined) return;
  const message = `PaymentMethod ${taken.id} of customer ${card.customerId} is this card already: update that one.`;
  throw new Rejected([{ field: 'GatewayPaymentId', message }]);
}
