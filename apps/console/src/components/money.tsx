import type { ReactElement } from 'react';
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
