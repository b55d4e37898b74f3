import { NativeSelect, TextInput } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { api, ask, type Resource } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { sentUtc, UtcInput } from '../../components/inputs/utc-inputs.tsx';
import { faultOf } from '../../components/problem-alert.tsx';
import { notify } from '../../shell/notify.ts';
import { sitesQuery } from '../../sites.ts';
import { useDialog } from './use-dialog.ts';

const EMPTY_SHOP = { value: '', label: 'Nothing: an empty shop' };

/** A new test shop, empty or with what a shop of the account sells. */
export function MakeDialog(): ReactElement {
  const { close } = useDialog();
  const { data: sites } = useSuspenseQuery(sitesQuery);
  const [name, setName] = useState('');
  const [now, setNow] = useState('');
  const [copyOf, setCopyOf] = useState('');
  const making = useCommand({
    send: (body: Resource<'NewTestClock'>, once) =>
      ask(api.POST('/api/TestClocks', { params: { header: once }, body })),
    onDone: ({ Name }) => {
      void notify({ message: `${Name ?? 'The test shop'} is made. Choose it at the top to work in it.` });
      close();
    },
  });
  const { error } = making;
  const shops = sites.map((site) => ({ value: String(site.id), label: site.name }));
  return (
    <FormDialog
      title="Make a test shop"
      verb="Make it"
      values={[name, now, copyOf]}
      isBusy={making.isPending}
      error={error}
      shownFields={['Name', 'NowUtc', 'CopyOf']}
      onSubmit={() =>
        making.mutate({ Name: name, NowUtc: sentUtc(now), CopyOf: copyOf === '' ? null : Number(copyOf) })
      }
      onClose={close}
    >
      <TextInput
        label="Name"
        required
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={faultOf(error, 'Name')}
      />
      <UtcInput
        label="What its clock says at first, in UTC"
        description="In the past or in the future. It stands still until you move it."
        required
        value={now}
        onChange={setNow}
        error={faultOf(error, 'NowUtc')}
      />
      <NativeSelect
        label="Begin with a copy of"
        description="Products, rates and settings are copied; no customers, orders, payment integrations or webhook endpoints."
        data={[EMPTY_SHOP, ...shops]}
        value={copyOf}
        onChange={({ currentTarget }) => setCopyOf(currentTarget.value)}
        error={faultOf(error, 'CopyOf')}
      />
    </FormDialog>
  );
}
