import { ApiSchema } from '@nestjs/swagger';
import { ENDS_IN_SHOP, PUSH_STATES } from '#libs/entities';
import { type ReadOnly, readOnlyField, ReadOnlyUtc } from '../../http/fields/index.js';
import { Checked } from '../../http/fields/texts.js';
import { END_IN_SHOP_WORDS, explained, PUSH_STATE_WORDS } from '../words.js';

const STATE_WORDS = {
  ...PUSH_STATE_WORDS,
  Off: 'nothing is pushed: it has no cycle, or was charged while Push was Off.',
};

const number = (description: string, example: number | null, nullable = false) =>
  readOnlyField({ type: 'integer', format: 'int64', nullable, description, example });
const amount = (description: string) => readOnlyField({ type: 'number', nullable: true, description, example: 32.06 });
const text = (description: string, example: string) =>
  readOnlyField({ type: 'string', nullable: true, description, example });

/** How many units of a product the Order has, and how many the shop's. */
@ApiSchema({ name: 'LineDifference' })
class LineDifferenceDto {
  @text('The shop’s id of the product; null: it has none.', '7') ProductExternalId?: ReadOnly;
  @number('Units that were charged.', 2) Ours?: ReadOnly;
  @number('Units that the shop’s order has.', 0) Theirs?: ReadOnly;
}

/** An Order on its way into the shop. */
@ApiSchema({ name: 'Push' })
export class PushDto {
  @number('The site.', 1) SiteId?: ReadOnly;
  @number('The scheduled order; null for an Order without one.', 1, true) ScheduledOrderId?: ReadOnly;
  @number('The number of the cycle; null for an Order without one.', 3, true) Cycle?: ReadOnly;
  @number('The Order; null while the cycle has written none.', 98, true) OrderId?: ReadOnly;
  @readOnlyField({
    type: 'string',
    enum: [...PUSH_STATES, 'Off'],
    description: explained('How it stands.', STATE_WORDS),
    example: 'Pushed',
  })
  State?: ReadOnly;
  @text('Its id in the shop, as soon as the shop has said it.', '98231') ShopOrderId?: ReadOnly;
  @text('Its number in the shop.', 'A-98231') ShopOrderNumber?: ReadOnly;
  @amount('Its total in the shop.') ShopTotal?: ReadOnly;
  @amount('The total of the Order.') ChargedTotal?: ReadOnly;
  @readOnlyField({
    type: () => LineDifferenceDto,
    isArray: true,
    description: 'Products of which the shop has more units, or fewer, than were charged.',
  })
  LinesThatDiffer?: ReadOnly;
  @readOnlyField({
    type: 'string',
    nullable: true,
    enum: [...ENDS_IN_SHOP, null],
    description: explained('How it was ended there after it had arrived; null: it was not.', END_IN_SHOP_WORDS),
    example: null,
  })
  EndedInShop?: ReadOnly;
  @number('Tries that were used up. What waits for the shop, and what is looked up, uses up none.', 1)
  Attempts?: ReadOnly;
  @text('What came of the latest try, and what to do. For people.', 'The shop has no product for "Coffee, 1 kg".')
  Message?: ReadOnly;
  @ReadOnlyUtc({ nullable: true, description: 'When it is tried or looked up next; null: not by itself.' })
  NextAttemptUtc?: ReadOnly;
  @ReadOnlyUtc({ nullable: true, description: 'When it was written, with its Order.' }) CreatedUtc?: ReadOnly;
  @ReadOnlyUtc({ nullable: true, description: 'When it last changed.' }) UpdatedUtc?: ReadOnly;
}

@ApiSchema({ name: 'LinkPush' })
export class LinkPushDto {
  @Checked(255, (id) => (id.trim() === '' ? `"${id}" must be the id of an order in the shop.` : null), {
    required: true,
    description: 'The id of the order in the shop.',
    example: '98231',
  })
  ShopOrderId!: string;
}
