import { ApiSchema } from '@nestjs/swagger';
import { PAYMENT_METHOD_TYPES, type PaymentMethodType } from '#libs/gateways';
import { Flag, OneOf, type ReadOnly, ReadOnlyId, Reference, Secret, Stamps } from '../../http/fields/index.js';
import { explained, PAYMENT_METHOD_TYPE_WORDS } from '../words.js';

class PaymentIntegrationFields {
  @ReadOnlyId({ description: 'Identifier.' }) Id?: ReadOnly;
  @Reference({ description: 'Owning site; may be left out by an account with one site.', nullable: false })
  SiteId?: number;
  @OneOf(PAYMENT_METHOD_TYPES, {
    description: explained('Required on creation; a site has one integration of each type.', PAYMENT_METHOD_TYPE_WORDS),
    nullable: false,
    example: 'GatewayOne',
  })
  PaymentMethodType?: PaymentMethodType;
  @Secret(255, { description: 'GatewayOne: unused. GatewayTwo: login id. Encrypted at rest.' }) ApiAccount?:
    string | null;
  @Secret(255, {
    description: 'GatewayOne: secret key. GatewayTwo: transaction key. Encrypted at rest.',
    example: 'sandbox_key',
  })
  ApiKey1?: string | null;
  @Secret(255, { description: 'GatewayOne: publishable key. GatewayTwo: unused. Encrypted at rest.' })
  ApiKey2?: string | null;
  @Flag({
    description: 'Whether no money moves. With it, an ApiKey1 that begins with `sandbox` needs no gateway at all.',
    nullable: false,
    example: true,
  })
  TestMode?: boolean;
}

/** A site's account at a payment gateway. */
@ApiSchema({ name: 'PaymentIntegration' })
export class PaymentIntegrationDto extends Stamps(PaymentIntegrationFields) {}

/** The gateway's answer about an integration's credentials: they work, or why they do not (decisions.md §12). */
export const VERIFICATION = {
  schema: {
    oneOf: [
      verdict(true, {}),
      verdict(false, {
        Message: {
          type: 'string',
          description: 'Why they do not work.',
          example: 'The payment gateway refuses the credentials.',
        },
      }),
    ],
  },
};

function verdict(verified: boolean, more: Record<string, { type: string; description: string; example: string }>) {
  const properties = {
    Verified: { type: 'boolean', description: 'Whether the credentials work.', enum: [verified] },
    ...more,
  };
  return { type: 'object', additionalProperties: false, required: Object.keys(properties), properties };
}
