import { Checkbox, Fieldset, SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Resource } from '../../api/client.ts';
import { sentOf, TextFields, type Typed, typedOf } from '../../components/inputs/text-fields.tsx';
import { FIELDS, type KindName, type Rate, type RateBody } from './kinds.ts';

/** A rate as it stands in the form. */
export interface Draft {
  readonly typed: Typed;
  readonly isCompound: boolean;
  readonly priority: string;
  readonly isOnShipping: boolean;
}

const PRIORITY = { name: 'Priority', label: 'Priority', isNumber: true } as const;

export function draftOf(kind: KindName, rate: Rate | null, terms: Resource<'TaxRateTerms'> | null): Draft {
  return {
    typed: typedOf(FIELDS[kind], rate ?? {}),
    isCompound: rate !== null && 'IsCompound' in rate && rate.IsCompound,
    priority: terms?.Priority?.toString() ?? '',
    isOnShipping: terms?.AppliesToShipping ?? false,
  };
}

export const bodyOf = (kind: KindName, { typed, isCompound }: Draft): RateBody => ({
  ...sentOf(FIELDS[kind], typed),
  ...(kind === 'tax' && { IsCompound: isCompound }),
});

export const termsOf = ({ priority, isOnShipping }: Draft): Resource<'TaxRateTermsBody'> => ({
  ...sentOf([PRIORITY], { Priority: priority }),
  AppliesToShipping: isOnShipping,
});

interface RateFormProps {
  readonly kind: KindName;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  /** What the API says of a field, of the rate as of its terms. */
  readonly faultOf: (field: string) => string | null;
}

export function RateForm({ kind, draft, onChange, faultOf }: RateFormProps): ReactElement {
  return (
    <Fieldset legend={kind === 'tax' ? 'The tax rate' : 'The shipping rate'}>
      <Stack gap="sm">
        <TextFields
          fields={FIELDS[kind]}
          typed={draft.typed}
          onChange={(typed) => onChange({ ...draft, typed })}
          faultOf={faultOf}
        />
        {kind === 'tax' && (
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              label="Priority"
              description="In place of the name: of one priority the most specific place applies"
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              inputMode="decimal"
              value={draft.priority}
              onChange={({ currentTarget: { value } }) => onChange({ ...draft, priority: value })}
              error={faultOf('Priority')}
            />
            <Stack gap="xs" justify="center">
              <Checkbox
                label="Computed on the price and the taxes before it"
                checked={draft.isCompound}
                onChange={({ currentTarget: { checked } }) => onChange({ ...draft, isCompound: checked })}
                error={faultOf('IsCompound')}
              />
              <Checkbox
                label="Also on shipping"
                description="Where the shop’s settings tax shipping by rate"
                checked={draft.isOnShipping}
                onChange={({ currentTarget: { checked } }) => onChange({ ...draft, isOnShipping: checked })}
                error={faultOf('AppliesToShipping')}
              />
            </Stack>
          </SimpleGrid>
        )}
      </Stack>
    </Fieldset>
  );
}
