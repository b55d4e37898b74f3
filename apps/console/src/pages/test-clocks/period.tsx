import { Group, NativeSelect, NumberInput } from '@mantine/core';
import type { ReactElement } from 'react';

const UNITS = [
  { value: 'D', label: 'Days' },
  { value: 'W', label: 'Weeks' },
  { value: 'M', label: 'Months' },
  { value: 'Y', label: 'Years' },
] as const;

export interface Period {
  readonly count: number | string;
  readonly unit: string;
}

/** As the API takes it: `P3M`. */
export const sentPeriod = ({ count, unit }: Period): string => `P${count}${unit}`;

interface PeriodInputProps {
  readonly label: string;
  readonly period: Period;
  readonly onChange: (period: Period) => void;
  readonly error: string | null;
}

/** So many days, weeks, months or years of the calendar. */
export function PeriodInput({ label, period, onChange, error }: PeriodInputProps): ReactElement {
  return (
    <Group align="flex-start" grow>
      <NumberInput
        label={label}
        required
        allowDecimal={false}
        allowNegative={false}
        value={period.count}
        onChange={(count) => onChange({ ...period, count })}
        error={error}
      />
      <NativeSelect
        label="Unit"
        data={UNITS}
        value={period.unit}
        onChange={({ currentTarget }) => onChange({ ...period, unit: currentTarget.value })}
      />
    </Group>
  );
}
