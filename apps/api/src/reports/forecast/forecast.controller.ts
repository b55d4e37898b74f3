import { Controller } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { ForecastDto, ForecastRowDto, LeftOutOrdersDto } from '../../contract/insight/forecast.dto.js';
import { FromCaller } from '../../http/caller.js';
import { PathId } from '../../http/parameters/parameters.js';
import { Read } from '../../http/route.js';
import { ForecastService } from './forecast.service.js';
import { ForecastParameters, type ForecastQuery } from './forecast-query.js';

@Controller()
@ApiTags('Sites')
@ApiExtraModels(ForecastRowDto, LeftOutOrdersDto)
export class ForecastController {
  constructor(private readonly forecasts: ForecastService) {}

  @Read('/api/Site/:siteId/Forecast', ForecastDto, {
    audience: 'merchant',
    operationId: 'forecastSite',
    summary: 'Says what the scheduled orders of a site will need, and cost, on the days to come',
    description:
      'Every occurrence of every order that will be processed, calculated by the functions that process it. With `Accept: text/csv` the rows are a table. More than 5,000,000 occurrences, or 500,000 rows: 400.',
    addition: true,
  })
  forecast(@FromCaller() caller: Caller, @PathId('siteId') id: number, @ForecastParameters() query: ForecastQuery) {
    return this.forecasts.forecast(caller, id, query);
  }
}
