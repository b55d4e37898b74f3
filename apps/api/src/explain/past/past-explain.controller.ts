import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { ExplainedCycleDto } from '../../contract/insight/explained-cycle.dto.js';
import { FromCaller } from '../../http/caller.js';
import { PathId } from '../../http/parameters/parameters.js';
import { Read } from '../../http/route.js';
import { PastExplainService } from './past-explain.service.js';

@Controller()
@ApiTags('Scheduled orders')
export class PastExplainController {
  constructor(private readonly past: PastExplainService) {}

  @Read('/api/ScheduledOrders/:scheduledOrderId/Cycles/:cycle/Explain', ExplainedCycleDto, {
    audience: 'merchant',
    operationId: 'explainCycle',
    summary: 'Says why a past charge was what it was',
    description:
      'Calculated again with the rates, settings, classes and exemption of that time. It equals what was recorded, or `Because` says why not.',
    addition: true,
  })
  explain(@FromCaller() caller: Caller, @PathId('scheduledOrderId') id: number, @PathId('cycle') cycle: number) {
    return this.past.explain(caller, id, cycle);
  }
}
