import type { ReactElement } from 'react';
import { dayText, distanceText, instantText } from '../instants.ts';

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
