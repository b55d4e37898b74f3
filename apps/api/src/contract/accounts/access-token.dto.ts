import { ApiSchema } from '@nestjs/swagger';
import { type ReadOnly, readOnlyField, ReadOnlyId, ReadOnlyUtc, Stamps } from '../../http/fields/index.js';
import { ACCESS_SCOPE_WORDS, explained } from '../words.js';

export const ACCESS_SCOPES = ['Merchant', 'Customer'] as const;

class AccessTokenFields {
  @ReadOnlyId({ description: 'Token identifier.' }) Id?: ReadOnly;
  @ReadOnlyId({ description: 'Owning account.' }) UserId?: ReadOnly;
  @readOnlyField({
    type: 'string',
    nullable: true,
    description: 'The value after `Authorization: Basic`. Shown once, by Login or Generate; null everywhere else.',
    example: 'MTpzZWNyZXQ=',
  })
  TokenAuth?: ReadOnly;
  @readOnlyField({
    type: 'string',
    enum: [...ACCESS_SCOPES],
    description: explained('What it reaches.', ACCESS_SCOPE_WORDS),
    example: 'Merchant',
  })
  AccessScope?: ReadOnly;
  @readOnlyField({
    type: 'integer',
    format: 'int64',
    nullable: true,
    description: 'The customer that the token is limited to.',
  })
  CustomerId?: ReadOnly;
}

/** A token that requests are sent with. */
@ApiSchema({ name: 'AccessToken' })
export class AccessTokenDto extends Stamps(AccessTokenFields) {
  @ReadOnlyUtc({ description: 'When it stops working.' }) ExpiresUtc?: ReadOnly;
}
