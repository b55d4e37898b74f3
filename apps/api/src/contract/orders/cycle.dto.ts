import { ApiSchema } from '@nestjs/swagger';
import { CYCLE_STATES } from '#libs/entities';
import { PAYMENT_METHOD_TYPES } from '#libs/gateways';
import { FAILURE_CODES } from '#libs/rules';
import { type ReadOnly, readOnlyField, ReadOnlyUtc, Stamps } from '../../http/fields/index.js';
import { CYCLE_STATE_WORDS, explained, FAILURE_LIST, PAYMENT_METHOD_TYPE_WORDS } from '../words.js';

const CODES = Object.values(FAILURE_CODES).map(({ code }) => code);

const count = (description: string, example: number) =>
  readOnlyField({ type: 'integer', format: 'int64', minimum: 0, description, example });

class CycleFields {
  @count('The cycle’s number in the ledger, from 1; it only rises.', 3) Cycle?: ReadOnly;
  @readOnlyField({
    type: 'string',
    enum: [...CYCLE_STATES],
    description: explained('How it stands.', CYCLE_STATE_WORDS),
    example: 'Completed',
  })
  State?: ReadOnly;
  @ReadOnlyUtc({ description: 'When it fell due.' }) DueUtc?: ReadOnly;
  @count('How many missed regular occurrences this cycle includes.', 0) PassedOver?: ReadOnly;
  @count('Charges tried.', 1) Attempts?: ReadOnly;
  @readOnlyField({
    type: 'integer',
    format: 'int64',
    nullable: true,
    description: 'The Order that it made, when Completed.',
    example: 1,
  })
  OrderId?: ReadOnly;
  @readOnlyField({
    type: 'integer',
    format: 'int64',
    nullable: true,
    description: 'What was charged at the latest attempt, in minor units of CurrencyIso.',
    example: 3206,
  })
  Amount?: ReadOnly;
  @readOnlyField({ type: 'string', nullable: true, description: 'ISO 4217 code of the Amount.', example: 'USD' })
  CurrencyIso?: ReadOnly;
  @readOnlyField({
    type: 'string',
    nullable: true,
    enum: [...PAYMENT_METHOD_TYPES],
    description: explained('The payment gateway of the latest attempt.', PAYMENT_METHOD_TYPE_WORDS),
    example: 'GatewayOne',
  })
  PaymentMethodType?: ReadOnly;
  @readOnlyField({ type: 'string', nullable: true, description: 'The charge’s id at the gateway.', example: 'pi_1' })
  GatewayTransactionId?: ReadOnly;
  @readOnlyField({
    type: 'integer',
    nullable: true,
    enum: CODES,
    description: `Why the latest try failed.\n\n${FAILURE_LIST}`,
    example: 2000,
  })
  FailureCode?: ReadOnly;
  @ReadOnlyUtc({ nullable: true, description: 'When it is tried or looked up next.' }) NextAttemptUtc?: ReadOnly;
}

/** One occurrence taken up: processed, skipped or given up. */
@ApiSchema({ name: 'Cycle' })
export class CycleDto extends Stamps(CycleFields) {}
