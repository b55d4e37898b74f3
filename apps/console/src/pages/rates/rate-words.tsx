import type { ReactElement } from 'react';
import { Money } from '../../components/values.tsx';
import type { Rate, ShippingRate } from './kinds.ts';

/** Where a rate applies: `90001, Los Angeles, CA, US`; a star is any. */
export function placeText({ Country, State, City, Postcode }: Rate): string {
  if (Country === null) return 'Everywhere';
  const parts = [
    Postcode?.endsWith('*') === true ? `postcodes ${Postcode.slice(0, -1)}…` : Postcode,
    City === '*' ? 'any city' : City,
    State === '*' ? 'any state' : State,
    Country,
  ];
  return parts.filter((part) => part !== null && part !== '').join(', ');
}

/** What a shipping rate costs. */
export function ShippingPrice({
  rate,
  currency,
}: {
  readonly rate: ShippingRate;
  readonly currency: string;
}): ReactElement {
  const { BasePrice, PricePerUnit } = rate;
  if (PricePerUnit === null || PricePerUnit === 0) return <Money price={BasePrice ?? 0} currency={currency} />;
  return (
    <>
      {BasePrice !== null && BasePrice !== 0 && (
        <>
          <Money price={BasePrice} currency={currency} />
          {' and '}
        </>
      )}
      <Money price={PricePerUnit} currency={currency} /> per unit
    </>
  );
}

/** When a shipping rate applies. */
export function ShippingConditions({
  rate,
  currency,
}: {
  readonly rate: ShippingRate;
  readonly currency: string;
}): ReactElement {
  const { MinSubtotal, MinUnits, MinCycles } = rate;
  const conditions = [
    MinSubtotal !== null && MinSubtotal > 0 && (
      <span key="subtotal">
        from a subtotal of <Money price={MinSubtotal} currency={currency} />
      </span>
    ),
    MinUnits !== null && MinUnits > 0 && <span key="units">from {MinUnits} units</span>,
    MinCycles !== null && MinCycles > 0 && <span key="cycles">after {MinCycles} deliveries</span>,
  ].filter((condition) => condition !== false);
  if (conditions.length === 0) return <>Always</>;
  return <>{conditions.flatMap((condition, index) => (index === 0 ? [condition] : [', ', condition]))}</>;
}
