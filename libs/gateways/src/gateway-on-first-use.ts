import type { PaymentGateway } from './payment-gateway.js';

/**
 * An adapter that is loaded with its first call: a gateway's package is large, and many processes never call that
 * gateway.
 */
export class GatewayOnFirstUse implements PaymentGateway {
  private loaded: Promise<PaymentGateway> | undefined;

  constructor(private readonly load: () => Promise<PaymentGateway>) {}

  readonly charge: PaymentGateway['charge'] = async (...call) => (await this.adapter()).charge(...call);
  readonly resolve: PaymentGateway['resolve'] = async (...call) => (await this.adapter()).resolve(...call);
  readonly lookUp: PaymentGateway['lookUp'] = async (...call) => (await this.adapter()).lookUp(...call);
  readonly listCharges: PaymentGateway['listCharges'] = async (...call) => (await this.adapter()).listCharges(...call);
  readonly listPayments: PaymentGateway['listPayments'] = async (...call) =>
    (await this.adapter()).listPayments(...call);
  readonly findMethod: PaymentGateway['findMethod'] = async (...call) => (await this.adapter()).findMethod(...call);
  readonly verify: PaymentGateway['verify'] = async () => (await this.adapter()).verify();

  private adapter(): Promise<PaymentGateway> {
    return (this.loaded ??= this.load());
  }
}
