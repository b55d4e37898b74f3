import { Group, NativeSelect, NumberInput, SegmentedControl, Text } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { api, ask, type Resource } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { sentUtc, typedUtc, UtcInput } from '../../components/inputs/utc-inputs.tsx';
import { faultOf } from '../../components/problem-alert.tsx';
import { Instant } from '../../components/values.tsx';
import { notify } from '../../shell/notify.ts';
import type { Clock } from './queries.ts';
import { useDialog } from './use-dialog.ts';

const WAYS = [
  { value: 'by', label: 'By a time' },
  { value: 'to', label: 'To an instant' },
] as const;

/** Moves the clock on; what falls due on the way is processed. */
export function AdvanceDialog({ clock }: { readonly clock: Clock }): ReactElement {
  const { close } = useDialog();
  const [way, setWay] = useState<string>('by');
  const [period, setPeriod] = useState<Period>({ count: 1, unit: 'M' });
  const [to, setTo] = useState(typedUtc(clock.NowUtc));
  const moving = useCommand({
    send: (body: Resource<'Advance'>, once) =>
      ask(
        api.POST('/api/TestClock/{siteId}/Advance', { params: { path: { siteId: clock.SiteId }, header: once }, body }),
      ),
    onDone: close,
  });
  const { error } = moving;
  return (
    <FormDialog
      title={`Move the clock of ${clock.Name || 'the shop'}`}
      verb="Move it"
      values={[way, period, to]}
      isBusy={moving.isPending}
      error={error}
      shownFields={['By', 'ToUtc']}
      onSubmit={() => moving.mutate(way === 'by' ? { By: sentPeriod(period) } : { ToUtc: sentUtc(to) })}
      onClose={close}
    >
      <Text size="sm">
        It says <Instant at={clock.NowUtc} />. It goes from one due time to the next, so that each order sees its own.
        It never goes back.
      </Text>
      <SegmentedControl aria-label="How far" data={[...WAYS]} value={way} onChange={setWay} />
      {way === 'by' ? (
        <PeriodInput label="How many" period={period} onChange={setPeriod} error={faultOf(error, 'By')} />
      ) : (
        <UtcInput label="Until, in UTC" required value={to} onChange={setTo} error={faultOf(error, 'ToUtc')} />
      )}
    </FormDialog>
  );
}

/** Moves the clock as if the service had stood still. */
export function OutageDialog({ clock }: { readonly clock: Clock }): ReactElement {
  const { close } = useDialog();
  const [period, setPeriod] = useState<Period>({ count: 2, unit: 'D' });
  const moving = useCommand({
    send: (By: string, once) =>
      ask(
        api.POST('/api/TestClock/{siteId}/Outage', {
          params: { path: { siteId: clock.SiteId }, header: once },
          body: { By },
        }),
      ),
    onDone: () => {
      void notify({ message: 'The outage is over: what fell due meanwhile is overdue, and is processed now.' });
      close();
    },
  });
  return (
    <FormDialog
      title={`An outage of ${clock.Name || 'the shop'}`}
      verb="Have an outage"
      values={period}
      isBusy={moving.isPending}
      error={moving.error}
      shownFields={['By']}
      onSubmit={() => moving.mutate(sentPeriod(period))}
      onClose={close}
    >
      <Text size="sm">
        The clock says <Instant at={clock.NowUtc} />. It moves on without processing anything, as if the service had
        stood still. What fell due meanwhile is then overdue, and is processed at once.
      </Text>
      <PeriodInput label="How long" period={period} onChange={setPeriod} error={faultOf(moving.error, 'By')} />
    </FormDialog>
  );
}

const UNITS = [
  { value: 'D', label: 'Days' },
  { value: 'W', label: 'Weeks' },
  { value: 'M', label: 'Months' },
  { value: 'Y', label: 'Years' },
] as const;

interface Period {
  readonly count: number | string;
  readonly unit: string;
}

/** As the API takes it: `P3M`. */
const sentPeriod = ({ count, unit }: Period): string => `P${count}${unit}`;

interface PeriodInputProps {
  readonly label: string;
  readonly period: Period;
  readonly onChange: (period: Period) => void;
  readonly error: string | null;
}

/** So many days, weeks, months or years of the calendar. */
function PeriodInput({ label, period, onChange, error }: PeriodInputProps): ReactElement {
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
