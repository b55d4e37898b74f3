import { ApiSchema } from '@nestjs/swagger';
import { OneOf, Reference, Secret, Text } from '../../http/fields/index.js';
import { ACCESS_SCOPE_WORDS, explained } from '../words.js';
import { ACCESS_SCOPES } from './access-token.dto.js';

/** The login, and the kind of token. */
@ApiSchema({ name: 'Login' })
export class LoginDto {
  @Text(255, { required: true, description: 'Email of the account.', example: 'merchant@shop.example' }) Email!: string;
  @Secret(1000, { required: true, description: 'Password of the account.', example: 'correct horse battery staple' })
  Password!: string;
  @OneOf(ACCESS_SCOPES, {
    required: true,
    description: explained('What the token reaches.', ACCESS_SCOPE_WORDS),
    example: 'Merchant',
  })
  AccessScope!: 'Merchant' | 'Customer';
  @Reference({ description: 'Required when AccessScope is Customer, and only then.' }) CustomerId?: number | null;
}

/** The kind of the new token. */
@ApiSchema({ name: 'Generate' })
export class GenerateDto {
  @OneOf(ACCESS_SCOPES, {
    required: true,
    description: explained('What the token reaches.', ACCESS_SCOPE_WORDS),
    example: 'Merchant',
  })
  AccessScope!: 'Merchant' | 'Customer';
  @Reference({ description: 'Required when AccessScope is Customer, and only then.' }) CustomerId?: number | null;
}
