import { NativeSelect, NumberInput, Text } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx';
import { faultOf } from '../../../components/problem-alert.tsx';
import { WEEKDAY_NAMES } from '../../../frequency.ts';
import type { Order } from '../../../orders/queries.ts';
import { useDialog } from '../use-dialog.ts';
import { useOrderChange } from './use-order-change.ts';

const TYPES = [
  { value: 'Days', label: 'Every so many days' },
  { value: 'Weeks', label: 'Every so many weeks' },
  { value: 'Months', label: 'Every so many months' },
  { value: 'DayOfTheWeek', label: 'Every week on a day' },
  { value: 'DayOfTheMonth', label: 'Every month on a day' },
] as const;

type FrequencyType = (typeof TYPES)[number]['value'];

const LABELS: Readonly<Record<FrequencyType, string>> = {
  Days: 'Days',
  Weeks: 'Weeks',
  Months: 'Months',
  DayOfTheWeek: 'Day of the week',
  DayOfTheMonth: 'Day of the month',
};

/** How often the order comes. */
export function ScheduleDialog({ order }: { readonly order: Order }): ReactElement {
  const { close } = useDialog();
  const [type, setType] = useState<FrequencyType>(order.FrequencyType ?? 'Months');
  const [count, setCount] = useState<number>(order.Frequency ?? 1);
  const change = useOrderChange(order, 'The schedule is changed.');
  const error = faultOf(change.error, 'Frequency');
  const choose = (value: string) => {
    setType(TYPES.find((one) => one.value === value)?.value ?? type);
    // The count of one type means nothing in another: 12 is no day of the week.
    setCount(1);
  };
  return (
    <FormDialog
      title={`How often order ${order.Id} comes`}
      verb="Save"
      values={[type, count]}
      isOfVersion
      isBusy={change.isPending}
      error={change.error}
      shownFields={['Frequency']}
      onSubmit={() => change.mutate({ FrequencyType: type, Frequency: count })}
      onClose={close}
    >
      <NativeSelect
        label="Frequency"
        data={TYPES}
        value={type}
        onChange={({ currentTarget: { value } }) => choose(value)}
      />
      {type === 'DayOfTheWeek' ? (
        <NativeSelect
          label={LABELS[type]}
          data={WEEKDAY_NAMES.map((label, index) => ({ value: String(index + 1), label }))}
          value={String(count)}
          onChange={({ currentTarget }) => setCount(Number(currentTarget.value))}
          error={error}
        />
      ) : (
        <NumberInput
          label={LABELS[type]}
          required
          min={1}
          allowDecimal={false}
          value={count}
          onChange={(value) => setCount(Number(value))}
          error={error}
        />
      )}
      <Text size="sm" c="dimmed">
        Another frequency counts from now on. To move the next occurrence alone, reschedule it.
      </Text>
    </FormDialog>
  );
}
