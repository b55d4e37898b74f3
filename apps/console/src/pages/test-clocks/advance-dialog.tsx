import { SegmentedControl, Text } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { api, ask, type Resource } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { sentUtc, typedUtc, UtcInput } from '../../components/inputs/utc-inputs.tsx';
import { faultOf } from '../../components/problem-alert.tsx';
import { Instant } from '../../components/values.tsx';
import { type Period, PeriodInput, sentPeriod } from './period.tsx';
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
