import { ApiSchema } from '@nestjs/swagger';
import { type ReadOnly, readOnlyField } from '../../http/fields/index.js';

/** How many records a list has. */
@ApiSchema({ name: 'ListCount' })
export class ListCountDto {
  @readOnlyField({
    type: 'integer',
    minimum: 0,
    maximum: 10_000,
    description: 'How many: exact, unless there are more than 10,000.',
    example: 42,
  })
  Count?: ReadOnly;
  @readOnlyField({ type: 'boolean', description: 'Whether there are more than `Count`.', example: false })
  IsMore?: ReadOnly;
}
