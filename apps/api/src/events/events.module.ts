import { Module } from '@nestjs/common';
import { Arrivals } from './arrivals.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';

@Module({ controllers: [EventsController], providers: [EventsService, Arrivals] })
export class EventsModule {}
