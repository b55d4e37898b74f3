/** How an API like this is usually built: Nest on Express, TypeORM entities and relations, class-validator. */
import 'reflect-metadata';
import { Controller, Get, Module, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { entities } from './entities.js';
import { ScheduledOrdersController } from './orders.js';

@Controller('health/ready')
class HealthController {
  @Get() ready() {
    return 'ready';
  }
}

@Module({
  imports: [
    TypeOrmModule.forRoot({ type: 'postgres', url: process.env.DATABASE_URL!, entities, poolSize: 20, logging: false }),
  ],
  controllers: [HealthController, ScheduledOrdersController],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
await app.listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
