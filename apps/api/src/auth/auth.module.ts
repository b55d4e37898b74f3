import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { CustomersModule } from '../customers/customers.module.js';
import { AccessTokensController } from './access-tokens.controller.js';
import { AccessTokens } from './access-tokens.js';
import { AccessTokenStrategy } from './basic.strategy.js';
import { CallerGuard } from './caller.guard.js';
import { Callers } from './callers.js';
import { LivingTokensController } from './living-tokens.controller.js';
import { LivingTokens } from './living-tokens.js';
import { LoginLimits } from './login-limits.js';
import { RateLimits } from './rate-limits.js';

@Module({
  imports: [CustomersModule],
  controllers: [AccessTokensController, LivingTokensController],
  providers: [
    Callers,
    AccessTokenStrategy,
    RateLimits,
    LoginLimits,
    AccessTokens,
    LivingTokens,
    { provide: APP_GUARD, useClass: CallerGuard },
  ],
})
export class AuthModule {}
