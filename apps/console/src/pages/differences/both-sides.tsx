import type { ReactElement, ReactNode } from 'react';
import { DataTable } from '../../components/lists/data-table.tsx';
import { Instant, Money } from '../../components/values.tsx';
import type { Difference } from './queries.ts';

type Side = Difference['Ours'];
type Value = string | number | null | undefined;

const valueOf = (side: Side, name: string) => side?.[name] as Value;

const amount = (side: Side, name: string): ReactNode => {
  const [minor, currency] = [valueOf(side, name), valueOf(side, 'CurrencyIso')];
  if (typeof minor !== 'number') return null;
  return typeof currency === 'string' ? <Money minor={minor} currency={currency} /> : minor;
};
const plain = (side: Side, name: string): ReactNode => valueOf(side, name) ?? null;
const instant = (side: Side, name: string): ReactNode => {
  const at = valueOf(side, name);
  return typeof at === 'string' ? <Instant at={at} /> : null;
};

type Shown = (side: Side, name: string) => ReactNode;

/** What a side may say, in the order in which one compares it. */
const FACTS: readonly (readonly [name: string, title: string, shown: Shown])[] = [
  ['Amount', 'Amount', amount],
  ['CurrencyIso', 'Currency', plain],
  ['Refunded', 'Refunded', amount],
  ['State', 'State', plain],
  ['OccurrenceUtc', 'Occurrence', instant],
  ['ChargedUtc', 'Charged', instant],
  ['Cycle', 'Cycle', plain],
  ['TransactionId', 'Transaction', plain],
  ['ShopOrderId', 'Order in the shop', plain],
  ['GatewayCustomerId', 'Customer at the gateway', plain],
  ['Installation', 'Installation', plain],
];

const isPresent = (side: Side, name: string) => valueOf(side, name) !== undefined && valueOf(side, name) !== null;

/** What the ledger and the gateway, or the shop, say, side by side; only what one of them says. */
export function BothSides({ difference }: { readonly difference: Difference }): ReactElement | null {
  const { Id, Ours: ours, Theirs: theirs } = difference;
  const facts = FACTS.filter(([name]) => isPresent(ours, name) || isPresent(theirs, name));
  if (facts.length === 0) return null;
  const side = (record: Side, none: string) => (fact: (typeof FACTS)[number]) => {
    const [name, , shown] = fact;
    return record === null ? none : (shown(record, name) ?? '–');
  };
  return (
    <DataTable
      label={`Both sides of difference ${Id}`}
      rows={facts}
      keyOf={([name]) => name}
      columns={[
        { title: 'What', cell: ([, title]) => title },
        { title: 'Here', cell: side(ours, 'nothing') },
        { title: isPresent(ours, 'ShopOrderId') ? 'In the shop' : 'At the gateway', cell: side(theirs, 'nothing') },
      ]}
    />
  );
}
