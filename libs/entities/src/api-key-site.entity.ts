import { ApiKey } from './api-key.entity.js';
import { KeyPart } from './columns.js';
import { Entity, ForeignKey } from './decorators.js';
import { Site } from './site.entity.js';

/** A site that an API key reaches. They are chosen when the key is made, and stay. */
@Entity('api_key_sites')
export class ApiKeySite {
  @ForeignKey(() => ApiKey, { onDelete: 'CASCADE' })
  @KeyPart()
  apiKeyId!: number;

  @ForeignKey(() => Site)
  @KeyPart()
  siteId!: number;
}
