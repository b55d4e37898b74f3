import { Controller } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { OverviewDto, OverviewLinksDto, OverviewTodayDto } from '../../contract/insight/overview.dto.js';
import { FromCaller } from '../../http/caller.js';
import { PathId } from '../../http/parameters/parameters.js';
import { Read } from '../../http/route.js';
import { OverviewService } from './overview.service.js';

@Controller()
@ApiTags('Additions')
@ApiExtraModels(OverviewTodayDto, OverviewLinksDto)
export class OverviewController {
  constructor(private readonly overview: OverviewService) {}

  @Read('/api/Site/:siteId/Overview', OverviewDto, {
    audience: 'merchant',
    operationId: 'getOverview',
    summary: 'Says what needs attention now, each figure with the list that shows it',
    addition: true,
  })
  get(@FromCaller() caller: Caller, @PathId('siteId') siteId: number) {
    return this.overview.get(caller, siteId);
  }
}
