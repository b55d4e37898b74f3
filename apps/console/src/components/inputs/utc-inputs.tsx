import { TextInput, type TextInputProps } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { day as dayOf } from '../../search.ts';

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
  const [{ initial, typed }, setState] = useState({ initial: value, typed: value });
  // Another value from outside counts more than what was typed.
  if (initial !== value) setState({ initial: value, typed: value });
  const choose = (input: HTMLInputElement) => {
    const isEmpty = input.value === '' && !input.validity.badInput && !isRequired;
    if (input.value === value) return;
    if (isEmpty || dayOf(input.value) !== undefined) onChange(input.value);
    else setState({ initial: value, typed: value });
  };
  return (
    <TextInput
      {...field}
      type="date"
      value={typed}
      onChange={({ currentTarget }) => setState({ initial: value, typed: currentTarget.value })}
      onBlur={({ currentTarget }) => choose(currentTarget)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') choose(currentTarget);
      }}
    />
  );
}

const MINUTES = 16;

interface UtcInputProps extends Pick<TextInputProps, 'label' | 'description' | 'error' | 'required'> {
  /** As it is typed: `2026-03-01T10:00`. */
  readonly value: string;
  readonly onChange: (typed: string) => void;
}

/** A day and a time in UTC. The label has to say UTC. */
export function UtcInput({ value, onChange, ...field }: UtcInputProps): ReactElement {
  return (
    <TextInput
      {...field}
      type="datetime-local"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** An instant of the API as it is typed. */
export const typedUtc = (instant: string | null | undefined): string => instant?.slice(0, MINUTES) ?? '';

/** What is typed as the API takes it. What is empty stays so: the API says what is missing. */
export const sentUtc = (typed: string): string => (typed === '' ? '' : `${typed.slice(0, MINUTES)}:00.000Z`);
