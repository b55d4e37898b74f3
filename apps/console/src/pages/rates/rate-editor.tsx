import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, type ReactElement, useRef, useState } from 'react';
import type { Resource } from '../../api/client.ts';
import { type Once, useCommand } from '../../api/use-command.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loading } from '../../components/loading.tsx';
import { faultOf, ProblemAlert } from '../../components/problem-alert.tsx';
import { notify } from '../../shell/notify.ts';
import { useSite } from '../../sites.ts';
import { cartOf, hasProduct, searchOfCart } from './cart.ts';
import { CartForm } from './cart-form.tsx';
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

function Editor({ kind, rate, draft: begun }: EditorProps): ReactElement {
  const [draft, setDraft] = useState(begun);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [cart, setCart] = useState(() => cartOf(search));
  const trial = useTrial(kind);
  const close = () => void navigate({ search: (before) => ({ ...before, rate: undefined }) });
  const saving = useSaving(kind, rate, close);
  const array = kind === 'tax' ? 'TaxRates' : 'ShippingRates';
  const faultAt = (field: string) =>
    faultOf(saving.error, field) ??
    faultOf(trial.error, `${array}[0].${field}`) ??
    faultOf(trial.error, `${array}[0].Terms.${field}`);
  const shown = [...FIELDS[kind].map(({ name }) => name), 'Priority', 'IsCompound', 'AppliesToShipping'];
  const save = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate({ body: bodyOf(kind, draft), terms: kind === 'tax' ? termsOf(draft) : null });
  };
  const tryIt = () => {
    saving.reset();
    void navigate({ search: (before) => ({ ...before, ...searchOfCart(cart) }), resetScroll: false });
    trial.ask(cart, { ...bodyOf(kind, draft), ...(kind === 'tax' && { Terms: termsOf(draft) }), ...idOf(rate) });
  };
  const noun = kind === 'tax' ? 'tax rate' : 'shipping rate';
  return (
    <form onSubmit={save} noValidate>
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
          <Button variant="default" onClick={close}>
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

const idOf = (rate: Rate | null) => (rate === null ? {} : { Id: rate.Id });

interface Saved {
  readonly body: RateBody;
  readonly terms: Resource<'TaxRateTermsBody'> | null;
}

/** A tax rate and its Terms are two requests: where the second one is refused, the next try changes what the first one has made. */
function useSaving(kind: KindName, rate: Rate | null, onDone: () => void) {
  const { id: siteId } = useSite();
  const made = useRef(rate?.Id ?? null);
  return useCommand({
    send: async ({ body, terms }: Saved, once: Once) => {
      const site = made.current === null ? { SiteId: siteId } : {};
      const stored = await storeRate(kind, made.current, { ...body, ...site }, once);
      made.current = stored.Id;
      if (terms !== null) await storeTerms(stored.Id, terms);
      return stored;
    },
    onDone: () => {
      void notify({ message: 'The rate is stored. What falls due from now on is priced with it.' });
      onDone();
    },
  });
}
