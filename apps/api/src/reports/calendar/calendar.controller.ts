import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { CalendarDayDto } from '../../contract/insight/calendar.dto.js';
import { FromCaller } from '../../http/caller.js';
import { Lists } from '../../http/lists/lists.js';
import { PathId } from '../../http/parameters/parameters.js';
import { describeTable } from '../../http/query/index.js';
import { List } from '../../http/route.js';
import { calendarCsv, calendarJson, CalendarService } from './calendar.service.js';
import { CalendarParameters, type CalendarQuery } from './calendar-query.js';

@Controller()
@ApiTags('Additions')
export class CalendarController {
  constructor(
    private readonly calendar: CalendarService,
    private readonly lists: Lists,
  ) {}

  @List('/api/Site/:siteId/Calendar', CalendarDayDto, {
    audience: 'merchant',
    operationId: 'getCalendar',
    summary: 'Says by day and currency what happened, and what falls due',
    description:
      'Days are UTC; those without anything are left out. With `Accept: text/csv` it is a table. It counts as a whole list while it is calculated.',
    errors: [404],
    addition: true,
  })
  async get(
    @FromCaller() caller: Caller,
    @PathId('siteId') siteId: number,
    @CalendarParameters() { range, isCsv, reply }: CalendarQuery,
  ) {
    const now = await this.calendar.begin(caller, siteId);
    const rows = await this.lists.calculate(reply, (inTurn, gone) =>
      this.calendar.rows({ siteId, range, now }, inTurn, gone),
    );
    if (!isCsv) return calendarJson(rows);
    describeTable(reply, 'Calendar');
    return calendarCsv(rows);
  }
}
