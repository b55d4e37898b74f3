import { ApiSchema } from '@nestjs/swagger';
import { DIFFERENCE_STATES, SETTLED_AS, type SettledAs } from '#libs/entities';
import { PAYMENT_METHOD_TYPES } from '#libs/gateways';
import { DIFFERENCE_KINDS, type DifferenceKind } from '#libs/ledger';
import { OneOf, type ReadOnly, readOnlyField, ReadOnlyId, ReadOnlyUtc, Text } from '../../http/fields/index.js';
import { explained, PAYMENT_METHOD_TYPE_WORDS } from '../words.js';

export const KINDS = Object.keys(DIFFERENCE_KINDS) as DifferenceKind[];

const KIND_WORDS = Object.fromEntries(
  KINDS.map((kind) => [
    kind,
    `${DIFFERENCE_KINDS[kind].about}${DIFFERENCE_KINDS[kind].holds ? ' It holds the order (1009).' : ''}`,
  ]),
);
const SETTLED_WORDS = {
  Accepted: 'it stays as it is.',
  Resolved: 'somebody has put it right, for example by a refund.',
};

const number = (description: string, example: number) =>
  readOnlyField({ type: 'integer', format: 'int64', nullable: true, description, example });
const text = (description: string, example: string) =>
  readOnlyField({ type: 'string', nullable: true, description, example });
const side = (description: string, example: object) =>
  readOnlyField({ type: 'object', nullable: true, additionalProperties: true, description, example });

/** What a gateway's books, or a shop, and the ledger say differently. */
@ApiSchema({ name: 'Difference' })
export class DifferenceDto {
  @ReadOnlyId({ description: 'Identifier.' }) Id?: ReadOnly;
  @readOnlyField({ type: 'integer', format: 'int64', description: 'The site.', example: 1 }) SiteId?: ReadOnly;
  @readOnlyField({
    type: 'string',
    enum: KINDS,
    description: explained('What differs.', KIND_WORDS),
    example: 'AmountDiffers',
  })
  Kind?: ReadOnly;
  @number('The Order of the cycle; null where there is none.', 1) OrderId?: ReadOnly;
  @number('The scheduled order, as the charge names it: it may not exist. Null: it names none.', 1)
  ScheduledOrderId?: ReadOnly;
  @number('The cycle; null where there is none.', 1) Cycle?: ReadOnly;
  @number('The integration whose charges were compared; null where Orders in the shop were.', 1)
  PaymentIntegrationId?: ReadOnly;
  @readOnlyField({
    type: 'string',
    nullable: true,
    enum: [...PAYMENT_METHOD_TYPES, null],
    description: explained('The gateway.', PAYMENT_METHOD_TYPE_WORDS),
    example: 'GatewayOne',
  })
  PaymentMethodType?: ReadOnly;
  @text('The gateway’s transaction.', 'pi_1') GatewayTransactionId?: ReadOnly;
  @side('What the ledger says, amounts in minor units; null: nothing.', { Amount: 3206, CurrencyIso: 'USD' })
  Ours?: ReadOnly;
  @side('What the gateway says, or the shop, likewise.', { Amount: 3207, CurrencyIso: 'USD' }) Theirs?: ReadOnly;
  @readOnlyField({
    type: 'string',
    enum: [...DIFFERENCE_STATES],
    description: explained('How it stands.', {
      Open: 'nobody has looked at it yet.',
      Settled: 'somebody has: As, By and Note say how.',
    }),
    example: 'Open',
  })
  State?: ReadOnly;
  @readOnlyField({
    type: 'string',
    nullable: true,
    enum: [...SETTLED_AS, null],
    description: explained('As what it was settled.', SETTLED_WORDS),
    example: null,
  })
  As?: ReadOnly;
  @readOnlyField({ type: 'string', nullable: true, description: 'Who has settled it.', example: null }) By?: ReadOnly;
  @readOnlyField({ type: 'string', nullable: true, description: 'What was noted then.', example: null })
  Note?: ReadOnly;
  @ReadOnlyUtc({ description: 'When it was seen.' }) CreatedUtc?: ReadOnly;
  @ReadOnlyUtc({ nullable: true, description: 'When it was settled.' }) SettledUtc?: ReadOnly;
}

@ApiSchema({ name: 'SettleDifference' })
export class SettleDifferenceDto {
  @OneOf(SETTLED_AS, { required: true, description: explained('As what.', SETTLED_WORDS), example: 'Accepted' })
  As!: SettledAs;
  @Text(1000, { description: 'For whoever looks at it later.', example: 'Refunded by hand.' }) Note?: string | null;
}
