import type {
  Charge,
  ChargeList,
  ChargeOutcome,
  GatewayCredentials,
  InDoubtCharge,
  LookUpOutcome,
  PaymentGateway,
  ResolveOutcome,
  StoredMethod,
  Verification,
} from './payment-gateway.js';

/** Whether an integration asks for the sandbox: no gateway at all, for demos, tests and benchmarks. */
export function isSandbox({ apiKey1, testMode }: GatewayCredentials): boolean {
  return testMode && hasSandboxKey(apiKey1);
}

export function hasSandboxKey(apiKey1: string | null): boolean {
  return apiKey1?.startsWith('sandbox') ?? false;
}

const NOT_FOUND: LookUpOutcome = { kind: 'notFound' };

/**
 * Approves at once and moves no money. A payment method id that contains `declined` is declined; with `declined_hard`
 * the decline is final. It stores nothing: the same attempt always has the same outcome, and a look-up finds nothing.
 */
export class SandboxGateway implements PaymentGateway {
  charge(charge: Charge): Promise<ChargeOutcome> {
    return Promise.resolve(outcomeOf(charge));
  }

  resolve(charge: Charge, { mayRepeat, quietMs }: InDoubtCharge): Promise<ResolveOutcome> {
    return Promise.resolve(mayRepeat && quietMs === null ? outcomeOf(charge) : NOT_FOUND);
  }

  lookUp(): Promise<LookUpOutcome> {
    return Promise.resolve(NOT_FOUND);
  }

  listCharges(): Promise<ChargeList> {
    return Promise.resolve({ kind: 'listed' });
  }

  listPayments(): Promise<ChargeList> {
    return Promise.resolve({ kind: 'listed' });
  }

  findMethod(): Promise<StoredMethod> {
    return Promise.resolve({ kind: 'stored' });
  }

  verify(): Promise<Verification> {
    return Promise.resolve({ verified: true });
  }
}

function outcomeOf({
  gatewayPaymentId,
  idempotencyKey,
}: Charge): Extract<ChargeOutcome, { kind: 'succeeded' | 'declined' }> {
  if (!gatewayPaymentId.includes('declined')) return { kind: 'succeeded', transactionId: `sandbox_${idempotencyKey}` };
  const hard = gatewayPaymentId.includes('declined_hard');
  return { kind: 'declined', hard, message: hard ? 'The card was reported lost.' : 'The card was declined.' };
}
