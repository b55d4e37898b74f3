import { Controller } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { OperationsDto, OperationsQuotaDto, OperationsWaitDto } from '../../contract/insight/operations-state.dto.js';
import { FromCaller } from '../../http/caller.js';
import { Route } from '../../http/route.js';
import { OperationsStateService } from './operations-state.service.js';

@Controller()
@ApiTags('Additions')
@ApiExtraModels(OperationsWaitDto, OperationsQuotaDto)
export class OperationsStateController {
  constructor(private readonly state: OperationsStateService) {}

  @Route('GET', '/api/Operations', {
    audience: 'account',
    operationId: 'getOperations',
    summary: 'Says how the installation works, and what waits in it of this account',
    description:
      'Workers, versions and deployment are of the installation, all other figures of the account’s real sites.',
    gives: OperationsDto,
    addition: true,
  })
  get(@FromCaller() caller: Caller) {
    return this.state.get(caller);
  }
}
