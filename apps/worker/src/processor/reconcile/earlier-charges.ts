import type { Charge, PaymentGateway } from '#libs/gateways';
import { failure } from '#libs/rules';
import type { DatabaseClock } from '../../database/clock.js';
import type { Charged } from '../charger.js';
import type { Attempt } from '../prepare.js';
import type { FoundCharges } from './found-charges.js';

/** Until the charge has its place in the ledger. */
const PLACED_IN_MS = 1_000;

/** Looks for charges of orders that were due so long ago that their gateway would not recognise a repetition. */
export class EarlierCharges {
  /** `onFound`: something needs its place in the ledger. */
  constructor(
    private readonly found: FoundCharges,
    private readonly clock: DatabaseClock,
    private readonly onFound: () => void,
  ) {}

  /** Null: the gateway has no charge of this order since it was settled last. Nothing was sent. */
  async of({ cycle, order, integration }: Attempt, gateway: PaymentGateway, charge: Charge): Promise<Charged | null> {
    const origin = {
      paymentIntegrationId: integration!.id,
      siteId: cycle.siteId,
      installation: charge.installation,
    };
    const agoMs = Math.max(0, this.clock.now().getTime() - order.settledUntilUtc.getTime());
    const { gatewayCustomerId } = charge;
    const said = await gateway.listCharges({ agoMs, gatewayCustomerId }, async (charges) => {
      await this.found.keep(
        origin,
        charges.filter(({ scheduledOrderId }) => scheduledOrderId === order.id),
        false,
      );
    });
    switch (said.kind) {
      case 'refused':
        return { outcome: { kind: 'charge', outcome: said }, refused: said.message };
      case 'postponed':
        return { outcome: { kind: 'postponed', delayMs: said.retryAfterMs } };
      case 'unavailable':
      case 'unknown':
        return { outcome: { kind: 'failure', failure: failure('GatewayCommunicationFailed', said.message) } };
      case 'listed': {
        const unplaced = await this.found.unplacedAmong([order.id]);
        if (unplaced.size === 0) return null;
        this.onFound();
        return { outcome: { kind: 'postponed', delayMs: PLACED_IN_MS } };
      }
    }
  }
}
