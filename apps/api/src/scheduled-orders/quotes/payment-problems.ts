import { Injectable } from '@nestjs/common';
import type { ScheduledOrder } from '#libs/entities';
import { amountRefusal, type GatewayCredentials, PAYMENT_METHOD_TYPES, type PaymentMethodType } from '#libs/gateways';
import { DecryptionError, Statement, Vault } from '#libs/platform';
import { Database } from '#libs/records';
import { type Failure, failure, type PayableOrder, paymentProblem } from '#libs/rules';

interface IntegrationRow {
  readonly id: number;
  readonly apiKey1: string | null;
  readonly testMode: boolean;
}

/** The integration of a site and type that is not deleted: `uq_payment_integrations_type`. */
const INTEGRATION = Statement.named(
  `SELECT id, api_key1, test_mode FROM payment_integrations
    WHERE site_id = $1 AND payment_method_type = $2 AND deleted_utc IS NULL`,
);

/** What of an order decides whether it can be charged. */
type Payable = PayableOrder & Pick<ScheduledOrder, 'currencyIso'>;

/**
 * The failures that charging an order would meet before a gateway is called, for a total in minor units (decisions.md
 * §9).
 */
type ProblemsOf = (order: Payable, total: number) => Failure[];

/** The same for one order, and for many of a site. */
@Injectable()
export class PaymentProblems {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  /** @param total in minor units; a total of 0 is never charged. */
  async ofOrder(
    order: Payable & Pick<ScheduledOrder, 'siteId' | 'paymentMethodType'>,
    total: number,
  ): Promise<Failure[]> {
    if (total === 0) return [];
    const { siteId, paymentMethodType: type } = order;
    return problemsOf(order, total, type === null ? null : await this.credentialsOf(siteId, type));
  }

  /**
   * Reads the integrations of a site once. One whose credentials cannot be read is like none: processing waits for
   * either.
   */
  async ofSite(siteId: number): Promise<ProblemsOf> {
    const credentials = new Map<string | null, GatewayCredentials | null>();
    for (const type of PAYMENT_METHOD_TYPES) credentials.set(type, await this.readableCredentialsOf(siteId, type));
    return (order, total) =>
      total === 0 ? [] : problemsOf(order, total, credentials.get(order.paymentMethodType) ?? null);
  }

  private async readableCredentialsOf(siteId: number, type: PaymentMethodType): Promise<GatewayCredentials | null> {
    try {
      return await this.credentialsOf(siteId, type);
    } catch (error) {
      if (error instanceof DecryptionError) return null;
      throw error;
    }
  }

  /**
   * The credentials, as far as they show whether it is a sandbox; null when the site has no integration of this type.
   */
  private async credentialsOf(siteId: number, type: PaymentMethodType): Promise<GatewayCredentials | null> {
    const [integration] = await this.database.read<IntegrationRow>(INTEGRATION, [siteId, type]);
    if (integration === undefined) return null;
    const { id, testMode } = integration;
    const apiKey1 = this.vault.decrypt(integration.apiKey1, {
      table: 'payment_integrations',
      column: 'api_key1',
      row: [id],
    });
    return { type, apiAccount: null, apiKey1, apiKey2: null, testMode };
  }
}

function problemsOf(order: Payable, total: number, credentials: GatewayCredentials | null): Failure[] {
  const problem = paymentProblem(order, credentials !== null);
  if (problem !== null || credentials === null) return problem === null ? [] : [problem];
  const refusal = amountRefusal(credentials, total, order.currencyIso);
  return refusal === null ? [] : [failure('AmountNotChargeable', refusal)];
}
