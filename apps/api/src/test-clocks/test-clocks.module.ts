import { Module } from '@nestjs/common';
import { TestClockCopy } from './test-clock-copy.js';
import { TestClockMoves } from './test-clock-moves.service.js';
import { TestClocksController } from './test-clocks.controller.js';
import { TestClocksService } from './test-clocks.service.js';

@Module({ controllers: [TestClocksController], providers: [TestClocksService, TestClockMoves, TestClockCopy] })
export class TestClocksModule {}
