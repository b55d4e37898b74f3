import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, type ReactElement, useState } from 'react';
import type { Resource } from '../../api/client.ts';
import { type Once, useCommand } from '../../api/use-command.ts';
import { changedIn, isEmpty } from '../../changed.ts';
import { LeaveGuard } from '../../components/dialogs/leave-guard.tsx';
import { EmptyState, Loading, PageLink } from '../../components/page.tsx';
import { faultOf, ProblemAlert } from '../../components/problem-alert.tsx';
import { notify } from '../../shell/notify.ts';
import { useSite } from '../../sites.ts';
import { cartOf, hasProduct, searchOfCart } from './cart.ts';
import { CartForm } from './cart-form.tsx';
import { checkTaxRate } from './check-tax-rate.ts';
import { FIELDS, type KindName, type Rate, type RateBody, rateQuery, storeRate, storeTerms } from './kinds.ts';
import { bodyOf, type Draft, draftOf, RateForm, termsOf } from './rate-form.tsx';
import { Trial, useTrial } from './trial.tsx';

const route = getRouteApi('/s/$siteId/rates');

interface RateEditorProps {
  readonly kind: KindName;
  /** Null: a new one. */
  readonly id: number | null;
}

/** One rate: tried on a cart before it is stored. */
export function RateEditor({ kind, id }: RateEditorProps): ReactElement {
  const { id: siteId } = useSite();
  const stored = useQuery({ ...rateQuery(kind, id ?? 0), enabled: id !== null });
  if (id === null) return <Editor kind={kind} rate={null} draft={draftOf(kind, null, null)} />;
  if (stored.data === undefined)
    return stored.error === null ? (
      <Loading rows={6} />
    ) : (
      <ProblemAlert error={stored.error} onRetry={() => void stored.refetch()} />
    );
  const { rate, terms } = stored.data;
  if (rate.SiteId !== siteId) {
    return (
      <EmptyState icon="shop" title="This rate is of another shop">
        Choose its shop above.
      </EmptyState>
    );
  }
  return <Editor key={`${kind} ${id}`} kind={kind} rate={rate} draft={draftOf(kind, rate, terms)} />;
}

interface EditorProps {
  readonly kind: KindName;
  readonly rate: Rate | null;
  readonly draft: Draft;
}

function Editor({ kind, rate, draft: read }: EditorProps): ReactElement {
  const [begun] = useState(read);
  const [draft, setDraft] = useState(begun);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [cart, setCart] = useState(() => cartOf(search));
  const trial = useTrial(kind);
  const close = (isStored: boolean) =>
    void navigate({ search: (before) => ({ ...before, rate: undefined }), ignoreBlocker: isStored });
  const saving = useSaving(kind, rate, begun, () => close(true));
  const array = kind === 'tax' ? 'TaxRates' : 'ShippingRates';
  const faultAt = (field: string) =>
    faultOf(saving.error, field) ??
    faultOf(trial.error, `${array}[0].${field}`) ??
    faultOf(trial.error, `${array}[0].Terms.${field}`);
  const shown = [...FIELDS[kind].map(({ name }) => name), 'Priority', 'IsCompound', 'AppliesToShipping'];
  const save = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate(writtenOf(kind, draft));
  };
  const tryIt = () => {
    saving.reset();
    void navigate({ search: (before) => ({ ...before, ...searchOfCart(cart) }), resetScroll: false });
    trial.ask(cart, { ...bodyOf(kind, draft), ...(kind === 'tax' && { Terms: termsOf(draft) }), ...idOf(rate) });
  };
  const noun = kind === 'tax' ? 'tax rate' : 'shipping rate';
  return (
    <form onSubmit={save} noValidate>
      <LeaveGuard isChanged={!isEmpty(changedIn(begun, draft))} record="rate" />
      <Stack>
        <Title order={2}>{rate === null ? `New ${noun}` : `Change ${rate.Name || `${noun} ${rate.Id}`}`}</Title>
        <RateForm kind={kind} draft={draft} onChange={setDraft} faultOf={faultAt} />
        <CartForm cart={cart} onChange={setCart} error={trial.error} />
        {!hasProduct(cart) && (
          <Text size="sm" c="dimmed">
            To try the rate before it is stored, pick a product and an address.
          </Text>
        )}
        <ProblemAlert error={saving.error} shownFields={shown} />
        <Trial trial={trial} />
        <Group justify="flex-end">
          {rate !== null && <Delete kind={kind} id={rate.Id} />}
          <Button variant="default" onClick={() => close(false)}>
            Back to the list
          </Button>
          <Button variant="default" loading={trial.isPending} disabled={!hasProduct(cart)} onClick={tryIt}>
            Try it
          </Button>
          <Button type="submit" loading={saving.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Also on narrow screens, where the list has no room for it. */
function Delete({ kind, id }: { readonly kind: KindName; readonly id: number }): ReactElement {
  const { id: siteId } = useSite();
  return (
    <PageLink
      to="/s/$siteId/rates"
      params={{ siteId }}
      search={(before) => ({ ...before, tab: kind, remove: id })}
      resetScroll={false}
      size="sm"
    >
      Delete
    </PageLink>
  );
}

const idOf = (rate: Rate | null) => (rate === null ? {} : { Id: rate.Id });

const TERMS = 'The rest of it holds already. Look at its priority and its tax on shipping, and save them again.';

interface Written {
  readonly body: RateBody;
  readonly terms: Resource<'TaxRateTermsBody'> | null;
}

const writtenOf = (kind: KindName, draft: Draft): Written => ({
  body: bodyOf(kind, draft),
  terms: kind === 'tax' ? termsOf(draft) : null,
});

/**
 * A tax rate and its Terms are two requests: both are checked before the first. Where the second one fails all the
 * same, it says so.
 */
function useSaving(kind: KindName, rate: Rate | null, begun: Draft, onDone: () => void) {
  const { id: siteId } = useSite();
  const client = useQueryClient();
  const navigate = route.useNavigate();
  return useCommand({
    send: async ({ body, terms }: Written, once: Once) => {
      if (terms !== null) await checkTaxRate(siteId, body, terms);
      const sent = rate === null ? { ...body, SiteId: siteId } : changedIn(writtenOf(kind, begun).body, body);
      const stored = await storeRate(kind, rate?.Id ?? null, sent, once);
      if (terms === null) return stored;
      try {
        await storeTerms(stored.Id, rate === null ? terms : changedIn(termsOf(begun), terms));
      } catch (error) {
        void notify({ color: 'red', title: 'The rate is stored, but not its terms', autoClose: false, message: TERMS });
        // What is saved next, also after a reload, is a change of this one.
        void navigate({
          search: (before) => ({ ...before, rate: String(stored.Id) }),
          replace: true,
          ignoreBlocker: true,
        });
        void client.invalidateQueries();
        throw error;
      }
      return stored;
    },
    onDone: () => {
      void notify({ message: 'The rate is stored. What falls due from now on is priced with it.' });
      onDone();
    },
  });
}
