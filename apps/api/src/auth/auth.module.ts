import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { CustomersModule } from '../customers/customers.module.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';
import { AccessTokenStrategy } from './basic.strategy.js';
import { CallerGuard } from './caller.guard.js';
import { Callers } from './callers.js';
import { LoginLimits } from './logins/login-limits.js';
import { Logins } from './logins/logins.js';
import { RateLimits } from './rate-limits.js';
import { SessionCookies } from './sessions/session-cookies.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsService } from './sessions/sessions.service.js';
import { AccessTokensController } from './tokens/access-tokens.controller.js';
import { AccessTokensService } from './tokens/access-tokens.service.js';
import { ActiveTokensController } from './tokens/active-tokens.controller.js';
import { ActiveTokensService } from './tokens/active-tokens.service.js';

@Module({
  imports: [CustomersModule],
  controllers: [AccessTokensController, ActiveTokensController, ApiKeysController, SessionsController],
  providers: [
    Callers,
    AccessTokenStrategy,
    RateLimits,
    LoginLimits,
    Logins,
    SessionCookies,
    SessionsService,
    AccessTokensService,
    ActiveTokensService,
    ApiKeysService,
    { provide: APP_GUARD, useClass: CallerGuard },
  ],
})
export class AuthModule {}
