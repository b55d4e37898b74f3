import { Text } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { api, ask } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { faultOf } from '../../components/problem-alert.tsx';
import { Instant } from '../../components/values.tsx';
import { notify } from '../../shell/notify.ts';
import { type Period, PeriodInput, sentPeriod } from './period.tsx';
import type { Clock } from './queries.ts';
import { useDialog } from './use-dialog.ts';

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
