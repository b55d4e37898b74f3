import { TextInput, type TextInputProps } from '@mantine/core';
import type { ReactElement } from 'react';

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
