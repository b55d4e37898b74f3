import { Controller } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { AccessTokenDto } from '../../contract/accounts/access-token.dto.js';
import { GenerateDto, LoginDto } from '../../contract/accounts/login.dto.js';
import { ClientAddress, FromCaller } from '../../http/caller.js';
import { CheckedBody, type Input } from '../../http/parameters/parameters.js';
import { BadTokenIsForbidden, Route } from '../../http/route.js';
import { AccessTokensService } from './access-tokens.service.js';

@Controller()
@ApiTags('Access tokens')
export class AccessTokensController {
  constructor(private readonly tokens: AccessTokensService) {}

  @Route('POST', '/api/AccessTokens/Login', {
    audience: 'anyone',
    operationId: 'login',
    summary: 'Gives a token for an email and a password',
    description: 'After 10 failures of an account, or 100 of an address, within 15 minutes: 429.',
    gives: AccessTokenDto,
    errors: [403, 429],
  })
  @RouteConfig({ warnOfRefusals: true })
  login(@CheckedBody(LoginDto) login: Input<LoginDto>, @ClientAddress() address: string) {
    return this.tokens.login(login, address);
  }

  @Route('POST', '/api/AccessTokens/Generate', {
    audience: 'both',
    operationId: 'generateAccessToken',
    summary: 'Gives a new token for the one presented',
    description:
      'The old one stays valid to its own end. A bad or expired token is Forbidden here. An API key makes Customer tokens for customers of its sites; they end with it.',
    gives: AccessTokenDto,
  })
  @BadTokenIsForbidden()
  generate(@FromCaller() caller: Caller, @CheckedBody(GenerateDto) generate: Input<GenerateDto>) {
    return this.tokens.generate(caller, generate);
  }
}
