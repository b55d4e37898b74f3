import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { AdvanceDto, NewTestClockDto, OutageDto, TestClockDto } from '../contract/test-clock.dto.js';
import { FromCaller } from '../http/caller.js';
import { Idempotency } from '../http/idempotency.js';
import { CheckedBody, type Input, PathId } from '../http/parameters/parameters.js';
import { Create, List, Read, Remove, Route } from '../http/route.js';
import { TestClockMoves } from './test-clock-moves.service.js';
import { TestClocksService } from './test-clocks.service.js';

/** The simulated site of the demo. */
const DEMO = 2;

@Controller()
@ApiTags('Additions')
export class TestClocksController {
  constructor(
    private readonly clocks: TestClocksService,
    private readonly moves: TestClockMoves,
  ) {}

  @Create('/api/TestClocks', TestClockDto, {
    audience: 'account',
    operationId: 'createTestClock',
    summary: 'Makes a simulated site with a clock of its own',
    description:
      'What is due there is due by that clock. It stands still until it is moved. The site is simulated for ever: its payment integrations work in TestMode only. At most 100 an account: one more is 409.',
    collection: '/api/TestClock',
    addition: true,
  })
  create(
    @FromCaller() caller: Caller,
    @CheckedBody(NewTestClockDto) clock: Input<NewTestClockDto>,
    @Idempotency() once: Idempotency,
  ) {
    return this.clocks.create(caller, clock, once);
  }

  @List('/api/TestClocks', TestClockDto, {
    audience: 'merchant',
    operationId: 'listTestClocks',
    summary: 'Lists the test clocks by SiteId',
    description: 'With an API key, those of the sites of the key.',
    addition: true,
  })
  list(@FromCaller() caller: Caller) {
    return this.clocks.list(caller);
  }

  @Read('/api/TestClock/:siteId', TestClockDto, {
    audience: 'merchant',
    operationId: 'getTestClock',
    summary: 'Gets a test clock: what it says, and how far an Advance has come',
    addition: true,
  })
  get(@FromCaller() caller: Caller, @PathId('siteId', DEMO) siteId: number) {
    return this.clocks.get(caller, siteId);
  }

  @Remove('/api/TestClock/:siteId', {
    audience: 'account',
    operationId: 'deleteTestClock',
    summary: 'Deletes a simulated site with all that belongs to it',
    description:
      'Nothing of it is left; an Advance ends. API keys that reach no other site are revoked. A large site takes seconds. If the request is interrupted, or a charge stays under way (409), the `State` is `Deleting` and nothing is processed any more: send the request again.',
    addition: true,
  })
  delete(@FromCaller() caller: Caller, @PathId('siteId', DEMO) siteId: number) {
    return this.clocks.delete(caller, siteId);
  }

  @Route('POST', '/api/TestClock/:siteId/Advance', {
    audience: 'merchant',
    operationId: 'advanceTestClock',
    summary: 'Moves the clock on, and processes everything that falls due on the way',
    description:
      'The clock goes from one due time to the next, so that each order sees its own. Read the test clock until its State is `Ready`, or wait for the event `test_clock.ready`. At most 100,000 cycles a call: then it is Ready where it has come. Send one of the three. Backwards, or during another Advance: 409.',
    status: 202,
    gives: TestClockDto,
    errors: [404, 409, 422],
    addition: true,
  })
  advance(
    @FromCaller() caller: Caller,
    @PathId('siteId', DEMO) siteId: number,
    @CheckedBody(AdvanceDto) advance: Input<AdvanceDto>,
    @Idempotency() once: Idempotency,
  ) {
    return this.moves.advance(caller, siteId, advance, once);
  }

  @Route('POST', '/api/TestClock/:siteId/Outage', {
    audience: 'merchant',
    operationId: 'simulateOutage',
    summary: 'Moves the clock on without processing anything, as if the service had stood still',
    description:
      'What fell due in the meantime is then overdue, and is processed at once. During an Advance, or while a charge is under way: 409.',
    gives: TestClockDto,
    errors: [404, 409, 422],
    addition: true,
  })
  outage(
    @FromCaller() caller: Caller,
    @PathId('siteId', DEMO) siteId: number,
    @CheckedBody(OutageDto) outage: Input<OutageDto>,
    @Idempotency() once: Idempotency,
  ) {
    return this.moves.outage(caller, siteId, outage, once);
  }
}
