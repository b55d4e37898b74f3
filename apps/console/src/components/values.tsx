import type { ReactElement } from 'react';
import { dayText, distanceText, instantText } from '../instants.ts';
import { minorUnitsText, priceText } from '../money.ts';

interface MoneyProps {
  /** ISO 4217. */
  readonly currency: string;
  /** An integer of minor units: totals and charges. */
  readonly minor?: number | null | undefined;
  /** Whole units: prices of products and items. */
  readonly price?: number | null | undefined;
}

/** An amount with its currency; `–` where there is none. The API says of each field which of the two forms it has. */
export function Money({ currency, minor, price }: MoneyProps): ReactElement {
  if (typeof minor === 'number') return <Amount text={minorUnitsText(minor, currency)} currency={currency} />;
  if (typeof price === 'number') return <Amount text={priceText(price, currency)} currency={currency} />;
  return <>–</>;
}

const Amount = ({ text, currency }: { readonly text: string; readonly currency: string }) => (
  <span className="number">
    {text} {currency}
  </span>
);

interface InstantProps {
  readonly at: string | null | undefined;
  /** With it, also how far away it is from there. Give what the API calls now: a simulated shop has its own. */
  readonly from?: string | undefined;
}

/** An instant in UTC, with the zone; `–` where there is none. */
export function Instant({ at, from }: InstantProps): ReactElement {
  if (at === null || at === undefined) return <>–</>;
  return (
    <time dateTime={at} className="number">
      {instantText(at)}
      {from !== undefined && <span className="distance"> ({distanceText(at, from)})</span>}
    </time>
  );
}

/** A day in UTC: `Sun 1 Mar 2026`. */
export function Day({ day }: { readonly day: string | null | undefined }): ReactElement {
  if (day === null || day === undefined) return <>–</>;
  return (
    <time dateTime={day.slice(0, 10)} className="number">
      {dayText(day)}
    </time>
  );
}
