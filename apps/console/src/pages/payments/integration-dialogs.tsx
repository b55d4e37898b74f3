import { NativeSelect, PasswordInput, Switch, Text } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { api, ask, type Resource } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { faultOf } from '../../components/problem-alert.tsx';
import { notify } from '../../shell/notify.ts';
import { useSite } from '../../sites.ts';
import { type Integration, type Type, TYPE_WORDS } from './queries.ts';

interface IntegrationDialogProps {
  /** Null: a new one. */
  readonly integration: Integration | null;
  readonly types: readonly Type[];
  readonly onClose: () => void;
}

type Keys = Readonly<Record<string, string>>;

/** Credentials go to the API, and never come back here: a key that is left empty stays as it is. */
export function IntegrationDialog({ integration, types, onClose }: IntegrationDialogProps): ReactElement {
  const { isSimulated } = useSite();
  const [type, setType] = useState<Type>(types[0]!);
  const [keys, setKeys] = useState<Keys>({});
  const [isTest, setTest] = useState(integration?.TestMode ?? true);
  const saving = useSaving(integration, onClose);
  const isNew = integration === null;
  const submit = () => {
    const sent = TYPE_WORDS[type].keys.flatMap(({ name }) => (keys[name] ? [[name, keys[name].trim()] as const] : []));
    saving.mutate({ ...Object.fromEntries(sent), TestMode: isTest, ...(isNew && { PaymentMethodType: type }) });
  };
  return (
    <FormDialog
      title={isNew ? 'Add an integration' : `Change ${type}`}
      verb={isNew ? 'Add' : 'Save'}
      values={[type, keys, isTest]}
      isBusy={saving.isPending}
      error={saving.error}
      shownFields={['PaymentMethodType', 'TestMode', ...TYPE_WORDS[type].keys.map(({ name }) => name)]}
      onSubmit={submit}
      onClose={onClose}
    >
      {isNew && (
        <NativeSelect
          label="Gateway"
          data={types.map((one) => ({ value: one, label: `${one}: ${TYPE_WORDS[one].speaks.toLowerCase()}` }))}
          value={type}
          onChange={({ currentTarget: { value } }) => setType(types.find((one) => one === value) ?? type)}
          error={faultOf(saving.error, 'PaymentMethodType')}
        />
      )}
      {TYPE_WORDS[type].keys.map(({ name, label }) => (
        <PasswordInput
          key={name}
          label={label}
          description={isNew ? undefined : staysAsIs(integration, name)}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': `Show ${label.toLowerCase()}`, tabIndex: 0 }}
          value={keys[name] ?? ''}
          onChange={({ currentTarget: { value } }) => setKeys({ ...keys, [name]: value })}
          error={faultOf(saving.error, name)}
          aria-invalid={faultOf(saving.error, name) !== null}
        />
      ))}
      <Switch
        label="Test mode"
        description={
          isSimulated
            ? 'A simulated shop has no other mode: no money moves'
            : 'No money moves. Off: every charge is a real one'
        }
        checked={isTest}
        onChange={({ currentTarget: { checked } }) => setTest(checked)}
        error={faultOf(saving.error, 'TestMode')}
      />
    </FormDialog>
  );
}

function staysAsIs(integration: Integration, name: (typeof TYPE_WORDS)[Type]['keys'][number]['name']) {
  if (integration[name] !== null) return `Left empty, ${integration[name]} stays`;
  return integration.isHidden ? 'Left empty, it stays as it is' : undefined;
}

function useSaving(integration: Integration | null, onClose: () => void) {
  const { id: siteId } = useSite();
  return useCommand({
    isSecret: true,
    send: (body: Resource<'PaymentIntegrationBody'>, once) =>
      integration === null
        ? ask(api.POST('/api/PaymentIntegrations', { params: { header: once }, body: { ...body, SiteId: siteId } }))
        : ask(
            api.PUT('/api/PaymentIntegration/{paymentIntegrationId}', {
              params: { path: { paymentIntegrationId: integration.Id } },
              body,
            }),
          ),
    onDone: () => {
      void notify({ message: `The integration is ${integration === null ? 'added' : 'changed'}. Verify it now.` });
      onClose();
    },
  });
}

interface RemoveDialogProps {
  readonly integration: Integration;
  readonly onClose: () => void;
}

export function RemoveDialog({ integration, onClose }: RemoveDialogProps): ReactElement {
  const { Id, PaymentMethodType: type } = integration;
  const removing = useCommand({
    send: () =>
      ask(
        api.DELETE('/api/PaymentIntegration/{paymentIntegrationId}', {
          params: { path: { paymentIntegrationId: Id } },
        }),
      ),
    onDone: () => {
      void notify({ message: 'The integration is removed.' });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      isDangerous
      title={`Remove ${type}?`}
      verb="Remove"
      isBusy={removing.isPending}
      error={removing.error}
      onConfirm={() => removing.mutate(undefined)}
      onClose={onClose}
    >
      <Text size="sm">
        Nothing can be charged through it any more: orders of {type} that fall due wait until there is one again. Its
        credentials are deleted here; at the gateway nothing changes.
      </Text>
    </ConfirmDialog>
  );
}
