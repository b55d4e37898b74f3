import { ApiSchema } from '@nestjs/swagger';
import { API_KEY_ACCESS, type ApiKeyAccess } from '#libs/entities';
import { API_KEY_PREFIX } from '#libs/records';
import {
  OneOf,
  type ReadOnly,
  readOnlyField,
  ReadOnlyId,
  ReadOnlyUtc,
  References,
  Text,
  Utc,
} from '../../http/fields/index.js';
import { API_KEY_ACCESS_WORDS, explained } from '../words.js';

const MOST_SITES = 1_000;

/** A key for a shop's back end: it is sent like a token, and lives until it is deleted. */
@ApiSchema({ name: 'ApiKey' })
export class ApiKeyDto {
  @ReadOnlyId({ description: 'Identifier, from the same numbers as those of access tokens.' }) Id?: ReadOnly;
  @Text(255, { required: true, description: 'What it is for, in your words.', example: 'Back end of the shop' })
  Name!: string;
  @References('site', MOST_SITES, { required: true, description: 'The sites that it reaches.', example: [1] })
  SiteIds!: number[];
  @OneOf(API_KEY_ACCESS, {
    required: true,
    description: explained('What it may do there.', API_KEY_ACCESS_WORDS),
    example: 'Full',
  })
  Access!: ApiKeyAccess;
  @Utc({ description: 'When it stops working; null: never.', example: '2036-01-31T09:00:00.000Z' })
  ExpiresUtc?: Date | null;
  @ReadOnlyUtc({ nullable: true, description: 'Its last use, to about a minute; null: it was never used.' })
  LastUsedUtc?: ReadOnly;
  @ReadOnlyUtc({ description: 'When it was made.' }) CreatedUtc?: ReadOnly;
}

/** A new API key, with its value. */
@ApiSchema({ name: 'NewApiKey' })
export class NewApiKeyDto extends ApiKeyDto {
  @readOnlyField({
    type: 'string',
    description: `The value after \`Authorization: Basic\`. Shown here only; the service keeps a hash. It begins with \`${API_KEY_PREFIX}\`, so that secret scanners can find it.`,
    example: `${API_KEY_PREFIX}NzpzZWNyZXQ=`,
  })
  Value?: ReadOnly;
}
