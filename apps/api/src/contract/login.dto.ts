import { OneOf, Reference, Secret, Text } from '../http/fields/index.js';
import { ACCESS_SCOPES } from './access-token.dto.js';

/** Who logs in, and what for. */
export class Login {
  @Text(255, { required: true, example: 'merchant@shop.example' }) Email!: string;
  @Secret(1000, { required: true, example: 'correct horse battery staple' }) Password!: string;
  @OneOf(ACCESS_SCOPES, { required: true, example: 'Merchant' }) AccessScope!: 'Merchant' | 'Customer';
  @Reference({ description: 'Required when AccessScope is Customer, and only then.' }) CustomerId?: number | null;
}

/** What the new token is for. */
export class Generate {
  @OneOf(ACCESS_SCOPES, { required: true, example: 'Merchant' }) AccessScope!: 'Merchant' | 'Customer';
  @Reference({ description: 'Required when AccessScope is Customer, and only then.' }) CustomerId?: number | null;
}
