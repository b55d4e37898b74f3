import { Alert, Button, Group, MultiSelect, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { api, ask, type Resource } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { SecretValue } from '../../components/inputs/secret-value.tsx';
import { sentUtc, UtcInput } from '../../components/inputs/utc-inputs.tsx';
import { faultOf } from '../../components/problem-alert.tsx';
import { sitesQuery, useSite } from '../../sites.ts';
import type { ApiKey } from './queries.ts';
import { useDialog } from './use-dialog.ts';

/** Makes a key, and shows its value, which nobody can see again. */
export function MakeKey(): ReactElement {
  const { close } = useDialog();
  const { id: siteId } = useSite();
  const { data: sites } = useSuspenseQuery(sitesQuery);
  const [name, setName] = useState('');
  const [siteIds, setSiteIds] = useState<readonly string[]>([String(siteId)]);
  const [access, setAccess] = useState<ApiKey['Access']>('Full');
  const [expires, setExpires] = useState('');
  const making = useCommand({
    isSecret: true,
    send: (body: Resource<'ApiKeyBody'>, once) => ask(api.POST('/api/ApiKeys', { params: { header: once }, body })),
  });
  if (making.data !== undefined) return <MadeKey value={making.data.Value} name={making.data.Name} />;
  const { error } = making;
  const body = {
    Name: name,
    SiteIds: siteIds.map(Number),
    Access: access,
    ExpiresUtc: expires === '' ? null : sentUtc(expires),
  };
  return (
    <FormDialog
      title="Make a key"
      verb="Make it"
      values={body}
      isBusy={making.isPending}
      error={error}
      shownFields={['Name', 'SiteIds', 'Access', 'ExpiresUtc']}
      onSubmit={() => making.mutate(body)}
      onClose={close}
    >
      <TextInput
        label="Name"
        description="Which system it is for, so that you know which key to end."
        required
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={faultOf(error, 'Name')}
      />
      <MultiSelect
        label="Shops"
        description="The key reaches these and no others."
        required
        data={sites.map((site) => ({ value: String(site.id), label: site.name }))}
        value={[...siteIds]}
        onChange={setSiteIds}
        error={faultOf(error, 'SiteIds')}
      />
      <AccessChoice value={access} onChange={setAccess} error={faultOf(error, 'Access')} />
      <UtcInput
        label="Works until, in UTC"
        description="Empty: without end."
        value={expires}
        onChange={setExpires}
        error={faultOf(error, 'ExpiresUtc')}
      />
    </FormDialog>
  );
}

interface AccessChoiceProps {
  readonly value: ApiKey['Access'];
  readonly onChange: (value: ApiKey['Access']) => void;
  readonly error: string | null;
}

const AccessChoice = ({ value, onChange, error }: AccessChoiceProps) => (
  <Radio.Group
    label="What it may do"
    value={value}
    onChange={(chosen) => onChange(chosen === 'Read' ? 'Read' : 'Full')}
    error={error}
  >
    <Stack gap="xs" mt="xs">
      <Radio value="Full" label="Read and change, but make no keys and shops, and see no secrets of webhooks" />
      <Radio value="Read" label="Read only, and see no credentials" />
    </Stack>
  </Radio.Group>
);

interface MadeKeyProps {
  readonly name: string;
  readonly value: string;
}

/** A click beside it does not close it: what it shows is lost then. */
function MadeKey({ name, value }: MadeKeyProps): ReactElement {
  const { close } = useDialog();
  return (
    <Dialog title={`The key “${name}”`} size="lg" closeOnClickOutside={false} onClose={close}>
      <Stack>
        <Alert color="yellow" icon={<Icon name="key" />} title="It is shown this once">
          <Text size="sm">
            Copy it into the settings of the system that uses it. Nobody can see it again. It works until it is ended
            here: logging out and a new password do not end it.
          </Text>
        </Alert>
        <SecretValue label="Value of the key" value={value} description="Send it as: Authorization: Basic <value>" />
        <Group justify="flex-end">
          <Button onClick={close}>I have copied it</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
