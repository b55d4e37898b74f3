import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { EventDto } from '../contract/events/event.dto.js';
import { FromCaller } from '../http/caller.js';
import { List } from '../http/route.js';
import { EventParameters, type EventQuery } from './event-query.js';
import { EventsService } from './events.service.js';

@Controller()
@ApiTags('Additions')
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @List('/api/Events', EventDto, {
    audience: 'merchant',
    operationId: 'listEvents',
    summary: 'Lists what happened since a number, and can wait for the next event',
    description:
      'By Sequence; each event once. The `Link` header names the request that follows. A site’s events are kept while it has a webhook endpoint, or `KeepEvents` in its Settings; otherwise 409.',
    errors: [409],
    addition: true,
  })
  list(@FromCaller() caller: Caller, @EventParameters() query: EventQuery) {
    return this.events.list(caller, query);
  }
}
