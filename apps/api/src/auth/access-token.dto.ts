import {
  OneOf,
  readOnlyField,
  ReadOnlyId,
  ReadOnlyUtc,
  Reference,
  Stamps,
  Text,
  type ReadOnly,
} from '../http/fields/index.js';

export const ACCESS_SCOPES = ['Merchant', 'Customer'] as const;

class AccessTokenFields {
  @ReadOnlyId({ description: 'Token identifier.' }) Id?: ReadOnly;
  @ReadOnlyId({ description: 'Owning account.' }) UserId?: ReadOnly;
  @readOnlyField({
    type: 'string',
    nullable: true,
    description: 'Goes behind `Authorization: Basic`. Shown once, by Login or Generate; null everywhere else.',
    example: 'MTpzZWNyZXQ=',
  })
  TokenAuth?: ReadOnly;
  @readOnlyField({ type: 'string', enum: [...ACCESS_SCOPES] }) AccessScope?: ReadOnly;
  @readOnlyField({
    type: 'integer',
    format: 'int64',
    nullable: true,
    description: 'The customer that the token is limited to.',
  })
  CustomerId?: ReadOnly;
}

/** A token that requests carry. */
export class AccessToken extends Stamps(AccessTokenFields) {
  @ReadOnlyUtc({ description: 'When it stops working.' }) ExpiresUtc?: ReadOnly;
}

/** Who logs in, and what for. */
export class Login {
  @Text(255, { required: true, example: 'merchant@shop.example' }) Email!: string;
  @Text(1000, { required: true, example: 'correct horse battery staple' }) Password!: string;
  @OneOf(ACCESS_SCOPES, { required: true, example: 'Merchant' }) AccessScope!: 'Merchant' | 'Customer';
  @Reference({ description: 'Required when AccessScope is Customer, and only then.' }) CustomerId?: number | null;
}

/** What the new token is for. */
export class Generate {
  @OneOf(ACCESS_SCOPES, { required: true, example: 'Merchant' }) AccessScope!: 'Merchant' | 'Customer';
  @Reference({ description: 'Required when AccessScope is Customer, and only then.' }) CustomerId?: number | null;
}
