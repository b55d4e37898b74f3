import { Injectable } from '@nestjs/common';
import { Statement } from '#libs/database';
import type { ScheduledOrder } from '#libs/entities';
import { amountRefusal, type GatewayCredentials } from '#libs/gateways';
import { Database } from '#libs/records';
import { type Failure, failure, paymentProblem } from '#libs/rules';
import { BINDING, type Binding, Vault } from '#libs/vault';

interface IntegrationRow {
  readonly id: string;
  readonly binding: Binding;
  readonly api_key1: string | null;
  readonly test_mode: boolean;
}

/** The integration of a site and type that is not deleted: `uq_payment_integrations_type`. */
const INTEGRATION = Statement.of(
  `SELECT id, ${BINDING} AS binding, api_key1, test_mode FROM payment_integrations
    WHERE site_id = $1 AND payment_method_type = $2 AND deleted_utc IS NULL`,
);

/** The failures that charging an order would meet before a gateway is called (decisions.md §9). */
@Injectable()
export class PaymentProblems {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  /** @param total in minor units; a total of 0 is never charged. */
  async of(order: ScheduledOrder, total: number): Promise<Failure[]> {
    if (total === 0) return [];
    const credentials = await this.credentialsOf(order);
    const problem = paymentProblem(order, credentials !== null);
    if (problem !== null || credentials === null) return problem === null ? [] : [problem];
    const refusal = amountRefusal(credentials, total, order.currencyIso);
    return refusal === null ? [] : [failure('AmountNotChargeable', refusal)];
  }

  /** The credentials, as far as they show whether it is a sandbox; null when the site has no integration of the order's type. */
  private async credentialsOf({ siteId, paymentMethodType: type }: ScheduledOrder): Promise<GatewayCredentials | null> {
    if (type === null) return null;
    const [integration] = await this.database.read<IntegrationRow>(INTEGRATION, [siteId, type]);
    if (integration === undefined) return null;
    const { id, binding, api_key1 } = integration;
    const apiKey1 = this.vault.decrypt(
      api_key1,
      { table: 'payment_integrations', column: 'api_key1', row: [id] },
      binding,
    );
    return { type, apiAccount: null, apiKey1, apiKey2: null, testMode: integration.test_mode };
  }
}
