import type { ReactElement } from 'react';

/** Paths on a grid of 24, drawn with lines. Text beside it says the same: an icon alone means nothing. */
const PATHS = {
  today: 'M3 12h4l3-8 4 16 3-8h4',
  calendar: 'M5 5h14a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1Zm-1 5h16M8 3v4m8-4v4',
  repeat: 'M4 12a8 8 0 0 1 14-5.3L20 9m0-5v5h-5m5 3a8 8 0 0 1-14 5.3L4 15m0 5v-5h5',
  people: 'M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-6 9a6 6 0 0 1 12 0m1-17a4 4 0 0 1 0 7.5M17.5 14.5A6 6 0 0 1 21 20',
  box: 'm12 3 8 4.5v9L12 21l-8-4.5v-9L12 3Zm0 9 8-4.5M12 12v9m0-9L4 7.5',
  warning: 'M12 4 2.8 20h18.4L12 4Zm0 6v4m0 3v.01',
  chart: 'M4 4v16h16M8 15l4-5 3 3 5-6',
  percent: 'M18 6 6 18M8 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4',
  card: 'M4 6h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1Zm-1 4h18M7 15h3',
  send: 'M21 3 10 14M21 3l-7 18-4-7-7-4 18-7Z',
  shop: 'M4 9 5.5 4h13L20 9M4 9h16M4 9v11h16V9M9 20v-6h6v6',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 5v4l3 2',
  key: 'M15 3a6 6 0 1 0 0 12 6 6 0 0 0 0-12Zm-4.2 10.2L3 21m3-3 3 3m6-13v.01',
  gauge: 'M5 19a9 9 0 1 1 14 0M12 14l4-5',
  check: 'm5 12 5 5L20 7',
  cross: 'm6 6 12 12M18 6 6 18',
  pause: 'M8 5v14m8-14v14',
  skip: 'm5 6 7 6-7 6V6Zm8 0 7 6-7 6V6Z',
  question: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm-2.5 7a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .9-1 1.7m0 3v.01',
  sun: 'M12 3v2m0 14v2m9-9h-2M5 12H3m15.4-6.4-1.4 1.4M7 17l-1.4 1.4m12.8 0L17 17M7 7 5.6 5.6M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8',
  moon: 'M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9Z',
  leave: 'M14 4H5v16h9m-4-8h11m0 0-4-4m4 4-4 4',
  next: 'm9 5 7 7-7 7',
  previous: 'm15 5-7 7 7 7',
  search: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14Zm5 12 6 6',
  download: 'M12 4v11m0 0-4-4m4 4 4-4M4 19h16',
  plus: 'M12 5v14m-7-7h14',
  down: 'm5 9 7 7 7-7',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 8v5m0-8v.01',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }): ReactElement {
  return (
    <svg
      aria-hidden
      focusable="false"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
