import { NumberInput, PasswordInput, Radio, Stack, Switch, TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Field, Value } from './fields.ts';

interface FieldInputProps {
  readonly field: Field;
  /** As the API has it; of a secret only its end. */
  readonly stored: Value;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly error: string | null;
}

/** The input of a field, with what it does and what the API says of it. */
export function FieldInput({ field, stored, value, onChange, error }: FieldInputProps): ReactElement {
  const { label, about: description, kind } = field;
  const text = (typed: string) => onChange(typed === '' ? null : typed);
  switch (kind) {
    case 'choice':
      return <Choice field={field} value={value} onChange={onChange} error={error} />;
    case 'flag':
      return (
        <Switch
          label={label}
          description={description}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
          error={error}
        />
      );
    case 'number':
      return (
        <NumberInput
          label={label}
          description={description}
          allowDecimal={false}
          clampBehavior="none"
          maw={320}
          value={typeof value === 'number' ? value : ''}
          onChange={(typed) => onChange(typed === '' ? null : Number(typed))}
          error={error}
        />
      );
    case 'secret':
      return (
        <PasswordInput
          label={label}
          description={`${description} Left empty, ${stored ?? 'what there is'} stays.`}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': `Show: ${label}`, tabIndex: 0 }}
          value={String(value ?? '')}
          onChange={({ currentTarget }) => text(currentTarget.value)}
          error={error}
        />
      );
    case 'text':
      return (
        <TextInput
          label={label}
          description={description}
          value={String(value ?? '')}
          onChange={({ currentTarget }) => text(currentTarget.value)}
          error={error}
        />
      );
  }
}

function Choice({ field, value, onChange, error }: Omit<FieldInputProps, 'stored'>): ReactElement {
  return (
    <Radio.Group label={field.label} description={field.about} value={String(value)} onChange={onChange} error={error}>
      <Stack gap="xs" mt="xs">
        {Object.entries(field.choices ?? {}).map(([choice, words]) => (
          <Radio key={choice} value={choice} label={words} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
