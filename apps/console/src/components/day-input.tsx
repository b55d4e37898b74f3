import { TextInput, type TextInputProps } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { day as dayOf } from '../search.ts';

interface DayInputProps extends Pick<TextInputProps, 'label' | 'description' | 'inputWrapperOrder'> {
  /** `2026-03-01`; empty: none. */
  readonly value: string;
  /** Hears of a day when it is complete, by Enter or by leaving the field: on the way to it there are others. */
  readonly onChange: (day: string) => void;
  /** It may not be empty. */
  readonly isRequired?: boolean;
}

/** A day in UTC that is chosen at once, such as a filter in the address. */
export function DayInput({ value, onChange, isRequired = false, ...field }: DayInputProps): ReactElement {
  const [{ of, typed }, setState] = useState({ of: value, typed: value });
  // Another value from outside counts more than what was typed.
  if (of !== value) setState({ of: value, typed: value });
  const choose = (input: HTMLInputElement) => {
    const isEmpty = input.value === '' && !input.validity.badInput && !isRequired;
    if (input.value === value) return;
    if (isEmpty || dayOf(input.value) !== undefined) onChange(input.value);
    else setState({ of: value, typed: value });
  };
  return (
    <TextInput
      {...field}
      type="date"
      value={typed}
      onChange={({ currentTarget }) => setState({ of: value, typed: currentTarget.value })}
      onBlur={({ currentTarget }) => choose(currentTarget)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') choose(currentTarget);
      }}
    />
  );
}
