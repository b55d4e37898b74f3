import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { AccessTokenDto } from '../../contract/accounts/access-token.dto.js';
import { FromCaller } from '../../http/caller.js';
import { Lists } from '../../http/lists/lists.js';
import { Page, type PageRequest, PathId } from '../../http/parameters/parameters.js';
import { List, Remove } from '../../http/route.js';
import { ActiveTokensService } from './active-tokens.service.js';

@Controller()
@ApiTags('Access tokens')
export class ActiveTokensController {
  constructor(
    private readonly tokens: ActiveTokensService,
    private readonly lists: Lists,
  ) {}

  @List('/api/AccessTokens', AccessTokenDto, {
    audience: 'merchant',
    operationId: 'listAccessTokens',
    summary: "Lists the account's living tokens by Id, 100 a page",
    description: 'TokenAuth is null here. With an API key: the Customer tokens of its sites.',
    addition: true,
  })
  list(@FromCaller() caller: Caller, @Page() page: PageRequest) {
    return this.lists.answer(page, this.tokens.list(caller));
  }

  @Remove('/api/AccessTokens/:accessTokenId', {
    audience: 'both',
    operationId: 'revokeAccessToken',
    summary: 'Revokes a token and all that were made from it',
    description: 'A Customer token may only revoke itself, an API key the Customer tokens of its sites.',
    addition: true,
  })
  revoke(@FromCaller() caller: Caller, @PathId('accessTokenId') id: number) {
    return this.tokens.revoke(caller, id);
  }

  @Remove('/api/Customers/:customerId/AccessTokens', {
    audience: 'merchant',
    operationId: 'revokeAccessTokensOfCustomer',
    summary: 'Revokes all tokens of a customer',
    addition: true,
  })
  revokeOfCustomer(@FromCaller() caller: Caller, @PathId('customerId') customerId: number) {
    return this.tokens.revokeOfCustomer(caller, customerId);
  }
}
