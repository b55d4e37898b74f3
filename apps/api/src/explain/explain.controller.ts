import { Controller } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { ExplainedActionDto, ExplainedTryDto, ExplanationDto } from '../contract/insight/explanation.dto.js';
import { FromCaller } from '../http/caller.js';
import { PathId } from '../http/parameters/parameters.js';
import { Read } from '../http/route.js';
import { ExplainService } from './explain.service.js';

@Controller()
@ApiTags('Scheduled orders')
@ApiExtraModels(ExplainedActionDto, ExplainedTryDto)
export class ExplainController {
  constructor(private readonly explanations: ExplainService) {}

  @Read('/api/ScheduledOrders/:scheduledOrderId/Explain', ExplanationDto, {
    audience: 'both',
    operationId: 'explainScheduledOrder',
    summary: 'Explains what comes next and why, what came of the last time, and what may be done now',
    description: 'A Customer token gets words for the customer, without internals of the shop.',
    addition: true,
  })
  explain(@FromCaller() caller: Caller, @PathId('scheduledOrderId') id: number) {
    return this.explanations.explain(caller, id);
  }
}
