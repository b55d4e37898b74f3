import { MultiSelect, NumberInput, Radio, Stack, Switch, TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import { faultOf } from '../../components/problem-alert.tsx';
import { ASKABLE } from './event-types.ts';
import type { Endpoint } from './queries.ts';

/** What one may say of an endpoint. */
export type EndpointFields = Pick<
  Endpoint,
  'Url' | 'Description' | 'EventTypes' | 'Payload' | 'Ordered' | 'RatePerSecond'
>;

export const NEW_ENDPOINT: EndpointFields = {
  Url: '',
  Description: null,
  EventTypes: [],
  Payload: 'Thin',
  Ordered: false,
  RatePerSecond: 10,
};

export const FIELDS: readonly string[] = Object.keys(NEW_ENDPOINT);

interface EndpointFormProps {
  readonly fields: EndpointFields;
  readonly onChange: (fields: EndpointFields) => void;
  readonly error: unknown;
}

export function EndpointForm({ fields, onChange, error }: EndpointFormProps): ReactElement {
  const set = (some: Partial<EndpointFields>) => onChange({ ...fields, ...some });
  return (
    <Stack>
      <TextInput
        label="Address"
        description="Begins with https://. It must lead to a public address."
        placeholder="https://shop.example/hooks"
        required
        data-autofocus
        value={fields.Url}
        onChange={({ currentTarget: { value } }) => set({ Url: value })}
        error={faultOf(error, 'Url')}
      />
      <TextInput
        label="Name"
        description="For people: which system it is."
        value={fields.Description ?? ''}
        onChange={({ currentTarget: { value } }) => set({ Description: value === '' ? null : value })}
        error={faultOf(error, 'Description')}
      />
      <MultiSelect
        label="Events"
        description="A name that ends in * is a whole group. None chosen: all events."
        data={[...new Set([...ASKABLE, ...fields.EventTypes])]}
        value={fields.EventTypes}
        onChange={(EventTypes) => set({ EventTypes })}
        searchable
        hidePickedOptions
        placeholder={fields.EventTypes.length === 0 ? 'All events' : ''}
        error={faultOf(error, 'EventTypes')}
      />
      <Radio.Group
        label="What a message carries"
        value={fields.Payload}
        onChange={(value) => set({ Payload: value })}
        error={faultOf(error, 'Payload')}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="Thin" label="The facts of the event only, which never change" />
          <Radio value="Full" label="The scheduled order besides, as it was then" />
        </Stack>
      </Radio.Group>
      <Switch
        label="In order: an event waits for the one before of the same scheduled order"
        checked={fields.Ordered}
        onChange={({ currentTarget: { checked } }) => set({ Ordered: checked })}
        error={faultOf(error, 'Ordered')}
      />
      <NumberInput
        label="Most events a second"
        allowDecimal={false}
        clampBehavior="none"
        value={fields.RatePerSecond}
        onChange={(value) => set({ RatePerSecond: Number(value) })}
        error={faultOf(error, 'RatePerSecond')}
      />
    </Stack>
  );
}
