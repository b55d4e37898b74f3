import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccessTokensController } from './access-tokens.controller.js';
import { AccessTokens } from './access-tokens.js';
import { AccessTokenStrategy } from './basic.strategy.js';
import { CallerGuard } from './caller.guard.js';
import { Callers } from './callers.js';
import { LoginLimits } from './login-limits.js';
import { RateLimits } from './rate-limits.js';

@Module({
  controllers: [AccessTokensController],
  providers: [
    Callers,
    AccessTokenStrategy,
    RateLimits,
    LoginLimits,
    AccessTokens,
    { provide: APP_GUARD, useClass: CallerGuard },
  ],
})
export class AuthModule {}
