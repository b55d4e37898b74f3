import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  type ChargeList,
  credentialsFingerprint,
  Gateways,
  listLagMs,
  Paging,
  type PaymentMethodType,
} from '#libs/gateways';
import { ConnectionPool, type Logger, type Settings } from '#libs/platform';
import { Integrations } from '../../gateways/integrations.js';
import { DeploymentGuard } from '../../guards/deployment-guard.js';
import { LOG, SETTINGS } from '../../tokens.js';
import type { Integration } from '../cycle/cycle.js';
import type { AuditTurn } from './audit-turn.js';
import { Comparison } from './comparison.js';

/** The gateway's `Date` has whole seconds, and an answer takes a moment. */
const MARGIN_MS = 120_000;

/** The database is another one, or has lost commits, since the audit began. A reconciliation comes first. */
class DatabaseInDoubt extends Error {
  override readonly name = 'DatabaseInDoubt';
}

/** Compares the books of one integration, in its turn, with the ledger. */
@Injectable()
export class IntegrationAudit {
  /** How much later than a charge the gateway's list may show it. */
  private readonly listLagMs: Readonly<Record<PaymentMethodType, number>>;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly gateways: Gateways,
    private readonly integrations: Integrations,
    private readonly database: DeploymentGuard,
    @Inject(LOG) private readonly log: Logger,
    @Inject(SETTINGS) { gatewayListLagMs }: Settings,
  ) {
    this.listLagMs = listLagMs(gatewayListLagMs);
  }

  /** @returns why it could not be done; null: it is done. */
  async compare(turn: AuditTurn, signal: AbortSignal): Promise<Exclude<ChargeList, { kind: 'listed' }> | null> {
    const integration = await this.integrationOf(turn);
    if (integration === null) return UNREADABLE;
    const { gateways, pool, database, log, listLagMs } = this;
    const { generation } = database.known;
    const assertKnown = async () => {
      if (!(await database.checkAnew()) || database.known.generation !== generation) throw new DatabaseInDoubt();
    };
    const gateway = gateways.for(integration.id, integration.credentials);
    const { id, siteId } = integration;
    const { type } = turn;
    const installation = database.keyPrefix;
    const fingerprint = credentialsFingerprint(integration.credentials);
    const comparison = new Comparison(pool, { id, siteId, type, fingerprint, installation }, turn.open, assertKnown);
    const agoMs = turn.beganUtc.getTime() - turn.checkedUntilUtc.getTime();
    const paging = new Paging(null, (ms) => pause(ms, undefined, { signal }));
    const query = { agoMs, marginMs: MARGIN_MS, installation, paging, givenBack: true } as const;
    const answer = await gateway.listCharges(query, async (page) => {
      await turn.goOn();
      await comparison.addPage(page);
    });
    if (answer.kind !== 'listed') return answer;
    const untilUtc = new Date(Math.max(turn.beganUtc.getTime() - listLagMs[type], turn.checkedUntilUtc.getTime()));
    await comparison.end(turn.checkedUntilUtc, untilUtc, async (charge, transactionId) => {
      await turn.goOn();
      return gateway.lookUp(charge, transactionId);
    });
    await turn.end(untilUtc, comparison.open);
    for (const { id: differenceId, kind, scheduledOrderId } of comparison.reported)
      log.warn({ differenceId, kind, scheduledOrderId, siteId }, 'The gateway and the ledger differ about a payment.');
    return null;
  }

  private async integrationOf({ integrationId }: AuditTurn): Promise<Integration | null> {
    const loaded = (await this.integrations.pinned([integrationId])).get(integrationId);
    return loaded === undefined || loaded instanceof Error ? null : loaded;
  }
}

const UNREADABLE = { kind: 'refused', message: 'The credentials of the payment integration cannot be read.' } as const;
