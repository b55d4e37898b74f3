import { ApiSchema } from '@nestjs/swagger';
import { REFUNDS_IN, SHOP_STATES, TAX_DIFFERENCES } from '#libs/entities';
import { AUTH_MODES, type Receiver, RECEIVERS } from '#libs/shops';
import { Flag, OneOf, type ReadOnly, readOnlyField, ReadOnlyUtc } from '../../http/fields/index.js';
import { Checked } from '../../http/fields/texts.js';
import { explained, SHOP_STATE_WORDS } from '../words.js';

const OFF_ON = ['Off', 'On'] as const;
type OffOn = (typeof OFF_ON)[number];

/** Of a URL: no query and no fragment, and nothing that would leave the shop's address. */
const PATH = /^(\/[\w.~!$&'()*+,;=:@%-]+)+\/?$/;

const pathFault = (path: string): string | null =>
  PATH.test(path) && !path.split('/').includes('..')
    ? null
    : `"${path}" must be a path such as /scheduled-orders/orders, without a query.`;

const AUTH_MODE = {
  type: 'string' as const,
  enum: [...AUTH_MODES],
  description: explained('How WooCommerce takes its keys: found by Verify.', {
    Header: 'in the header Authorization.',
    Query: 'in the query: its host strips that header.',
    OAuth: 'as a signature: WordPress believes that it is called by http:.',
  }),
  example: 'Header',
};

/** Where a site's Orders are pushed to: the shop at its Url, with its ApiKey1 and ApiKey2. */
@ApiSchema({ name: 'Shop' })
export class ShopDto {
  @OneOf(OFF_ON, {
    description: explained('Whether the Orders that are written from now on are pushed into the shop.', {
      Off: 'they are not; the shop fetches them.',
      On: 'they are. It needs the Url of the site. They wait while State is not `Ready`.',
    }),
    nullable: false,
    example: 'On',
  })
  Push?: OffOn;
  @OneOf(RECEIVERS, {
    description: explained('What receives them. Until it is set: by the Type of the site.', {
      WooCommerceRest: 'the REST interface of WooCommerce, which computes its own taxes.',
      Http: 'a receiver of `POST <Url><Path>`, which takes our totals.',
    }),
    nullable: false,
    example: 'WooCommerceRest',
  })
  Receiver?: Receiver;
  @Checked(255, pathFault, {
    description: 'Of the Http receiver, below the Url of the site; null: `/scheduled-orders/orders`.',
    example: null,
  })
  Path?: string | null;
  @readOnlyField(AUTH_MODE) AuthMode?: ReadOnly;
  @OneOf(TAX_DIFFERENCES, {
    description: explained('An order whose total the shop comes to otherwise, by tax or rounding only.', {
      Accept: 'it is Pushed all the same, and told of by `order.total_differs`.',
      Refuse: 'it Differs: somebody decides. It is paid there all the same.',
    }),
    nullable: false,
    example: 'Accept',
  })
  TaxDifference?: (typeof TAX_DIFFERENCES)[number];
  @Flag({
    description: 'Whether an order that the shop cannot take is charged all the same (1010 otherwise holds it).',
    nullable: false,
    example: false,
  })
  PushAnyway?: boolean;
  @OneOf(OFF_ON, {
    description: explained('Whether products follow those of the shop: price, title, availability, stock.', {
      Off: 'they do not.',
      On: 'they do. The prices of items stay.',
    }),
    nullable: false,
    example: 'Off',
  })
  StockSync?: OffOn;
  @OneOf(REFUNDS_IN, {
    description: explained('Where refunds are made.', { Service: 'here.', Shop: 'in the shop.' }),
    nullable: false,
    example: 'Service',
  })
  RefundsIn?: (typeof REFUNDS_IN)[number];
  @ReadOnlyUtc({ nullable: true, description: 'Up to when the shop’s changes were read.' }) LastSyncUtc?: ReadOnly;
  @readOnlyField({
    type: 'string',
    enum: [...SHOP_STATES],
    description: explained('Whether it takes Orders. In any other state pushes wait for Verify.', SHOP_STATE_WORDS),
    example: 'Unverified',
  })
  State?: ReadOnly;
  @readOnlyField({
    type: 'string',
    nullable: true,
    description: 'Why it is not `Ready`, or what keeps it from taking Orders while it is.',
  })
  StateBecause?: ReadOnly;
}

/** One thing that Verify has looked at. */
@ApiSchema({ name: 'ShopFinding' })
class ShopFindingDto {
  @readOnlyField({ type: 'string', description: 'What was looked at. Later versions may add more.', example: 'Keys' })
  Check?: ReadOnly;
  @readOnlyField({ type: 'boolean', description: 'Whether it is as it must be.', example: true }) Agrees?: ReadOnly;
  @readOnlyField({
    type: 'string',
    description: 'What was found and, where it does not agree, what to do. For people.',
    example: 'The keys may write (Header).',
  })
  Message?: ReadOnly;
}

/** What Verify has found. */
@ApiSchema({ name: 'ShopVerification' })
export class ShopVerificationDto {
  @readOnlyField({
    type: 'string',
    enum: [...SHOP_STATES],
    description: explained('The State of the Shop now.', SHOP_STATE_WORDS),
    example: 'Ready',
  })
  State?: ReadOnly;
  @readOnlyField({ type: 'string', nullable: true, description: 'Why it is not `Ready`.' }) StateBecause?: ReadOnly;
  @readOnlyField({ ...AUTH_MODE, nullable: true }) AuthMode?: ReadOnly;
  @readOnlyField({ type: () => ShopFindingDto, isArray: true, description: 'What needs attention most comes first.' })
  Findings?: ReadOnly;
}
