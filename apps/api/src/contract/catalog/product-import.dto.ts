import { ApiSchema } from '@nestjs/swagger';
import { IMPORT_STATES } from '#libs/entities';
import { type ReadOnly, readOnlyField, ReadOnlyId, ReadOnlyUtc } from '../../http/fields/index.js';
import { explained } from '../words.js';

const count = (description: string, example: number) =>
  readOnlyField({ type: 'integer', format: 'int64', description, example });

/** How far the import of a shop's products is. */
@ApiSchema({ name: 'ProductImport' })
export class ProductImportDto {
  @ReadOnlyId({ description: 'The site.' }) SiteId?: ReadOnly;
  @readOnlyField({
    type: 'string',
    enum: [...IMPORT_STATES],
    description: explained('Whether it goes on.', {
      Running: 'a worker reads the shop’s products. It goes on by itself after failures, and after Verify.',
      Done: 'all were read.',
    }),
    example: 'Running',
  })
  State?: ReadOnly;
  @count('Products of the shop that were read, of `Total`. One with variations counts once.', 150) Read?: ReadOnly;
  @readOnlyField({
    type: 'integer',
    format: 'int64',
    nullable: true,
    description: 'How many the shop lists; null: it is not known yet, or the shop does not say.',
    example: 240,
  })
  Total?: ReadOnly;
  @count('Products that the catalogue did not have: each variation is one.', 42) Created?: ReadOnly;
  @readOnlyField({ type: 'string', nullable: true, description: 'Why it waits, for people; null: it does not.' })
  Message?: ReadOnly;
  @ReadOnlyUtc({ description: 'When it was asked for.' }) StartedUtc?: ReadOnly;
  @ReadOnlyUtc({ nullable: true, description: 'When all were read.' }) EndedUtc?: ReadOnly;
}
