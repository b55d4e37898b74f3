import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { TimelineEntryDto } from '../contract/insight/timeline.dto.js';
import { FromCaller } from '../http/caller.js';
import { Lists, nextPath } from '../http/lists/lists.js';
import { PathId } from '../http/parameters/parameters.js';
import { List } from '../http/route.js';
import { writeCursor } from './cursor.js';
import { TimelineService } from './timeline.service.js';
import { FromTimelineQuery, type TimelineQuery } from './timeline-query.js';

@Controller()
@ApiTags('Logs')
export class TimelineController {
  constructor(
    private readonly timeline: TimelineService,
    private readonly lists: Lists,
  ) {}

  @List('/api/ScheduledOrders/:scheduledOrderId/Timeline', TimelineEntryDto, {
    audience: 'both',
    operationId: 'listTimeline',
    summary: 'Tells what happened to a scheduled order, newest first',
    description:
      'Logs, cycles and webhook deliveries in one list, with a `Link` header while another page follows. A Merchant token or API key reads it of a deleted order, too. A Customer token gets Actions, Events and Cycles.',
    errors: [404],
    addition: true,
  })
  async list(
    @FromCaller() caller: Caller,
    @PathId('scheduledOrderId') id: number,
    @FromTimelineQuery() { limit, cursor, reply }: TimelineQuery,
  ) {
    const page = () => this.timeline.page(caller, id, limit, cursor);
    const { entries, next } = await this.lists.inTurn(caller, page);
    if (next !== null) void reply.header('link', `<${nextPath(reply.request.url, writeCursor(next))}>; rel="next"`);
    return entries;
  }
}
