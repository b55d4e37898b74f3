import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { ApiKeyDto, NewApiKeyDto } from '../contract/accounts/api-key.dto.js';
import { FromCaller } from '../http/caller.js';
import { Idempotency } from '../http/idempotency.js';
import { Lists } from '../http/lists/lists.js';
import { CheckedBody, type Input, PageOrWhole, type PageRequest, PathId } from '../http/parameters/parameters.js';
import { Create, List, Remove } from '../http/route.js';
import { ApiKeysService } from './api-keys.service.js';

@Controller()
@ApiTags('Additions')
export class ApiKeysController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly lists: Lists,
  ) {}

  @Create('/api/ApiKeys', NewApiKeyDto, {
    audience: 'account',
    needsPassword: true,
    operationId: 'createApiKey',
    summary: 'Makes an API key, and shows its value once',
    description: 'At most 100 an account, expired ones included: one more is 409.',
    collection: '/api/ApiKey',
    addition: true,
  })
  create(
    @FromCaller() caller: Caller,
    @CheckedBody(ApiKeyDto) key: Input<ApiKeyDto>,
    @Idempotency() once: Idempotency,
  ) {
    return this.keys.create(caller, key, once);
  }

  @List('/api/ApiKeys', ApiKeyDto, {
    audience: 'merchant',
    operationId: 'listApiKeys',
    summary: "Lists the account's API keys by Id",
    description: 'Also those that have expired, until they are deleted. With an API key: that key alone.',
    addition: true,
  })
  list(@FromCaller() caller: Caller, @PageOrWhole() page: PageRequest) {
    return this.lists.answer(page, this.keys.list(caller));
  }

  @Remove('/api/ApiKey/:apiKeyId', {
    audience: 'merchant',
    operationId: 'deleteApiKey',
    summary: 'Ends an API key and all tokens that were made with it, at once',
    description: 'An API key may only delete itself.',
    addition: true,
  })
  delete(@FromCaller() caller: Caller, @PathId('apiKeyId') id: number) {
    return this.keys.delete(caller, id);
  }
}
