import { Button, Fieldset, Group, NumberInput, SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import { Icon } from '../../components/icon.tsx';
import { CustomerPicker, ProductPicker } from '../../components/inputs/record-picker.tsx';
import { faultOf } from '../../components/problem-alert.tsx';
import { useSite } from '../../sites.ts';
import type { Cart, CartLine } from './cart.ts';

interface CartFormProps {
  readonly cart: Cart;
  readonly onChange: (cart: Cart) => void;
  /** Of the request for its quote. */
  readonly error: unknown;
}

const PLACE = [
  ['country', 'Country', 'ShippingCountry'],
  ['state', 'State', 'ShippingState'],
  ['city', 'City', 'ShippingCity'],
  ['postcode', 'Postcode', 'ShippingPostcode'],
] as const;

/** What would be bought, by whom, and where it would go. */
export function CartForm({ cart, onChange, error }: CartFormProps): ReactElement {
  const { id: siteId } = useSite();
  return (
    <Fieldset legend="The cart to try it on">
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
          {PLACE.map(([key, label, field]) => (
            <TextInput
              key={key}
              label={`${label} of the cart`}
              value={cart[key]}
              onChange={({ currentTarget: { value } }) => onChange({ ...cart, [key]: value })}
              error={faultOf(error, `Address.${field}`)}
            />
          ))}
        </SimpleGrid>
        <CartLines cart={cart} onChange={onChange} error={error} />
        <CustomerPicker
          label="Customer"
          description="Only where it matters who buys: some pay no tax"
          siteId={siteId}
          value={cart.customerId}
          onChange={(customerId) => onChange({ ...cart, customerId })}
          error={faultOf(error, 'CustomerId')}
        />
      </Stack>
    </Fieldset>
  );
}

function CartLines({ cart, onChange, error }: CartFormProps): ReactElement {
  const { id: siteId } = useSite();
  const { lines } = cart;
  const put = (changed: readonly CartLine[]) => onChange({ ...cart, lines: changed });
  const replace = (at: number, line: CartLine) => put(lines.map((one, index) => (index === at ? line : one)));
  return (
    <Stack gap="xs">
      {lines.map((line, index) => (
        <Group key={index} align="flex-start" gap="xs">
          <div style={{ flex: '1 1 12rem' }}>
            <ProductPicker
              label={`Product ${index + 1}`}
              siteId={siteId}
              value={line.productId}
              onChange={(productId) => replace(index, { ...line, productId })}
              error={faultOf(error, `Lines[${index}].ProductId`) ?? faultOf(error, `Lines[${index}].Price`)}
            />
          </div>
          <NumberInput
            label={`Quantity ${index + 1}`}
            w="7rem"
            min={1}
            allowDecimal={false}
            value={line.quantity ?? ''}
            onChange={(quantity) =>
              replace(index, { ...line, quantity: quantity === '' ? undefined : Number(quantity) })
            }
            error={faultOf(error, `Lines[${index}].Quantity`)}
          />
          {lines.length > 1 && (
            <Button
              variant="default"
              mt={24}
              aria-label={`Take product ${index + 1} out`}
              onClick={() => put(lines.filter((_, at) => at !== index))}
            >
              <Icon name="cross" size={16} />
            </Button>
          )}
        </Group>
      ))}
      <Group>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => put([...lines, { productId: undefined, quantity: 1 }])}
        >
          Another product
        </Button>
      </Group>
    </Stack>
  );
}
