import { ApiSchema } from '@nestjs/swagger';
import { TEST_CLOCK_STATES } from '#libs/entities';
import { isPeriod } from '#libs/rules';
import {
  Flag,
  type ReadOnly,
  readOnlyField,
  ReadOnlyId,
  ReadOnlyUtc,
  Reference,
  Text,
  Utc,
} from '../http/fields/index.js';
import { Checked } from '../http/fields/texts.js';

/** A simulated site, and what its clock says. */
@ApiSchema({ name: 'TestClock' })
export class TestClockDto {
  @ReadOnlyId({ description: 'The simulated site.' }) SiteId?: ReadOnly;
  @readOnlyField({ type: 'string', nullable: true, description: 'The name of the site.', example: 'A year of coffee' })
  Name?: ReadOnly;
  @ReadOnlyUtc({ description: 'What the clock says.' }) NowUtc?: ReadOnly;
  @readOnlyField({
    type: 'string',
    enum: TEST_CLOCK_STATES,
    description:
      '`Advancing`: an Advance is under way. `Ready`: the clock stands. `Deleting`: the deletion of the site has begun; when it was interrupted, send it again.',
    example: 'Ready',
  })
  State?: ReadOnly;
  @ReadOnlyUtc({
    nullable: true,
    description: 'How far the present or latest Advance was to go; null before the first.',
  })
  TargetUtc?: ReadOnly;
  @readOnlyField({
    type: 'integer',
    format: 'int64',
    description:
      'How many cycles were taken up since the present or latest Advance began: each first try, retry, probe and look-up counts.',
    example: 90,
  })
  Cycles?: ReadOnly;
  @ReadOnlyUtc({ description: 'When it was made, by the real clock.' }) CreatedUtc?: ReadOnly;
  @ReadOnlyUtc({ description: 'When it changed last, by the real clock.' }) UpdatedUtc?: ReadOnly;
}

/** A new test clock. */
@ApiSchema({ name: 'NewTestClock' })
export class NewTestClockDto {
  @Text(255, { required: true, description: 'The name of the site.', example: 'A year of coffee' }) Name!: string;
  @Utc({ required: true, description: 'What the clock says at first.', example: '2026-01-31T09:00:00.000Z' })
  NowUtc!: Date;
  @Reference({
    description:
      'A site of the account. Its products, rates and settings are copied; no customers, orders, payment integrations or webhook endpoints.',
  })
  CopyOf?: number | null;
}

const period = (description: string, required = false) =>
  Checked(40, (text) => (isPeriod(text) ? null : `"${text}" must be an ISO 8601 duration such as P3M, P10D or PT1H.`), {
    description,
    example: 'P3M',
    nullable: false,
    required,
  });

/** How far to go: one of the three. */
@ApiSchema({ name: 'Advance' })
export class AdvanceDto {
  @Utc({ nullable: false, description: 'Until then.' }) ToUtc?: Date;
  @period('So much: an ISO 8601 duration, in months and days of the calendar (UTC).') By?: string;
  @Flag({ nullable: false, description: 'True: to what comes next, an occurrence or a retry.' }) ToNext?: boolean;
}

/** How long the outage is. */
@ApiSchema({ name: 'Outage' })
export class OutageDto {
  @period('An ISO 8601 duration, in months and days of the calendar (UTC).', true) By!: string;
}
