import { Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { Loading } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Day } from '../../components/values.tsx';
import { type Customer, settingsQuery } from './queries.ts';
import type { DialogName } from './search.ts';
import { useDialog } from './use-dialog.ts';

/** Who it is, where it goes, who pays, and whether with tax. */
export function Person({ customer }: { readonly customer: Customer }): ReactElement {
  const { FirstName, LastName, Email, ExternalId, Created, CreatedUtc } = customer;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
      <Part title="Person" dialog="person" change="Change the person">
        <Text size="sm">{[FirstName, LastName].filter(Boolean).join(' ') || 'No name'}</Text>
        <Text size="sm" className="breakable">
          {Email ?? 'No e-mail address'}
        </Text>
        <Text size="sm" c="dimmed">
          {ExternalId === null ? 'No id in the shop' : `Id in the shop: ${ExternalId}`}
        </Text>
        <Text size="sm" c="dimmed">
          Since <Day day={Created ?? CreatedUtc} /> (UTC)
        </Text>
      </Part>
      <Part title="Delivery address" dialog="shipping" change="Change the delivery address">
        <Address customer={customer} kind="Shipping" />
        <Text size="xs" c="dimmed">
          For new orders. Each order has an address of its own.
        </Text>
      </Part>
      <Part title="Billing address" dialog="billing" change="Change the billing address">
        <Address customer={customer} kind="Billing" />
      </Part>
      <Part title="Tax" dialog="tax" change="Change the tax settings">
        <Tax customerId={customer.Id} />
      </Part>
    </SimpleGrid>
  );
}

interface PartProps {
  readonly title: string;
  readonly dialog: DialogName;
  readonly change: string;
  readonly children: ReactNode;
}

function Part({ title, dialog, change, children }: PartProps): ReactElement {
  const { open } = useDialog();
  return (
    <Paper component="section" aria-label={title}>
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Title order={2}>{title}</Title>
        <Button flex="none" size="compact-sm" variant="default" aria-label={change} onClick={() => open(dialog)}>
          Change
        </Button>
      </Group>
      <Stack gap={2}>{children}</Stack>
    </Paper>
  );
}

interface AddressProps {
  readonly customer: Customer;
  readonly kind: 'Shipping' | 'Billing';
}

function Address({ customer, kind }: AddressProps): ReactElement {
  const part = (name: 'FirstName' | 'LastName' | 'Street1' | 'Street2' | 'Postcode' | 'City' | 'State' | 'Country') =>
    customer[`${kind}${name}`];
  const lines = [
    [part('FirstName'), part('LastName')],
    [part('Street1')],
    [part('Street2')],
    [part('Postcode'), part('City')],
    [part('State')],
    [part('Country')],
  ]
    .map((parts) => parts.filter((text) => text !== null && text !== '').join(' '))
    .filter((line) => line !== '');
  if (lines.length === 0) return <Text size="sm">No address</Text>;
  return (
    <>
      {lines.map((line, index) => (
        <Text key={index} size="sm">
          {line}
        </Text>
      ))}
    </>
  );
}

function Tax({ customerId }: { readonly customerId: number }): ReactElement {
  const settings = useQuery(settingsQuery(customerId));
  if (settings.data === undefined)
    return settings.error === null ? (
      <Loading rows={1} />
    ) : (
      <ProblemAlert error={settings.error} onRetry={() => void settings.refetch()} />
    );
  const { TaxExempt, VatNumber } = settings.data;
  return (
    <>
      <Text size="sm">{TaxExempt ? 'Pays no tax' : 'Pays tax'}</Text>
      <Text size="sm" c="dimmed">
        {VatNumber === null ? 'No VAT number' : `VAT number: ${VatNumber}`}
      </Text>
    </>
  );
}
