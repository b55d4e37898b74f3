import { SimpleGrid, TextInput } from '@mantine/core';
import type { ReactElement } from 'react';

/** What is typed into the inputs of a form, by the API's names of the fields. */
export type Typed = Readonly<Record<string, string>>;

export interface TextField {
  /** The API's name. */
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  readonly isNumber?: boolean;
}

interface TextFieldsProps {
  readonly fields: readonly TextField[];
  readonly typed: Typed;
  readonly onChange: (typed: Typed) => void;
  /** What the API says of a field. */
  readonly faultOf: (field: string) => string | null;
}

/** Inputs for fields of the API that are texts or numbers, each with its fault. */
export function TextFields({ fields, typed, onChange, faultOf }: TextFieldsProps): ReactElement {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {fields.map(({ name, label, description, isNumber = false }) => (
        <TextInput
          key={name}
          label={label}
          description={description}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          inputMode={isNumber ? 'decimal' : undefined}
          value={typed[name] ?? ''}
          onChange={({ currentTarget: { value } }) => onChange({ ...typed, [name]: value })}
          error={faultOf(name)}
        />
      ))}
    </SimpleGrid>
  );
}

/** The fields of a record as they are typed. */
export const typedOf = (fields: readonly TextField[], record: object): Typed =>
  Object.fromEntries(
    fields.map(({ name }) => {
      const value = (record as Record<string, unknown>)[name];
      return [name, typeof value === 'string' || typeof value === 'number' ? String(value) : ''];
    }),
  );

/**
 * What is typed as the API takes it; nothing is null. What is no number is sent as it is, so that the API says what is
 * wrong.
 */
export const sentOf = (fields: readonly TextField[], typed: Typed): Record<string, string | number | null> =>
  Object.fromEntries(fields.map(({ name, isNumber }) => [name, sentValue((typed[name] ?? '').trim(), isNumber)]));

function sentValue(value: string, isNumber = false): string | number | null {
  if (value === '') return null;
  return isNumber && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}
