import { Module } from '@nestjs/common';
import { GuardsModule } from '../../guards/guards.module.js';
import { LedgerWriter } from './ledger-writer.js';
import { Recorder } from './recorder.js';
import { RecordingHealth } from './recording-health.js';
import { ResultLog } from './result-log.js';

/** Step 6: outcomes are recorded, counted and logged. */
@Module({
  imports: [GuardsModule],
  providers: [LedgerWriter, RecordingHealth, Recorder, ResultLog],
  exports: [Recorder, RecordingHealth],
})
export class RecordModule {}
