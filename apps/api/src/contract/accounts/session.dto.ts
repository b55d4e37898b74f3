import { ApiSchema } from '@nestjs/swagger';
import { type ReadOnly, readOnlyField, ReadOnlyId, ReadOnlyUtc, Secret, Text } from '../../http/fields/index.js';
import { ACCESS_SCOPE_WORDS, explained } from '../words.js';

/** The login of a session. */
@ApiSchema({ name: 'SessionLogin' })
export class SessionLoginDto {
  @Text(255, { required: true, description: 'Email of the account.', example: 'merchant@shop.example' }) Email!: string;
  @Secret(1000, { required: true, description: 'Password of the account.', example: 'correct horse battery staple' })
  Password!: string;
}

/** The password of the session's account, entered again. */
@ApiSchema({ name: 'SessionPassword' })
export class SessionPasswordDto {
  @Secret(1000, { required: true, description: 'Password of the account.', example: 'correct horse battery staple' })
  Password!: string;
}

/** Who has logged in, and for how long. The token itself is in the cookie only. */
@ApiSchema({ name: 'Session' })
export class SessionDto {
  @ReadOnlyId({ description: 'Of its token, as in `GET /api/AccessTokens`.' }) Id?: ReadOnly;
  @ReadOnlyId({ description: 'The account.' }) UserId?: ReadOnly;
  @readOnlyField({ type: 'string', description: 'Email of the account.', example: 'merchant@shop.example' })
  Email?: ReadOnly;
  @readOnlyField({
    type: 'string',
    enum: ['Merchant'],
    description: explained('What it reaches.', { Merchant: ACCESS_SCOPE_WORDS.Merchant }),
    example: 'Merchant',
  })
  AccessScope?: ReadOnly;
  @ReadOnlyUtc({ description: 'When it ends unless it is used. A use moves it, to 29 to 30 minutes from then.' })
  ExpiresUtc?: ReadOnly;
  @ReadOnlyUtc({ description: 'When it ends at the latest: 12 hours after the login.' }) EndsUtc?: ReadOnly;
  @ReadOnlyUtc({
    description:
      'Until when it may do what needs the password: 10 minutes from its last entry. `null`: it has to be entered first.',
    nullable: true,
  })
  ConfirmedUntilUtc?: ReadOnly;
}
