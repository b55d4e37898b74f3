import type { ReactElement } from 'react';
import { Icon, type IconName } from './icon.tsx';

export type Tone = 'good' | 'warning' | 'bad' | 'busy' | 'quiet';

interface Look {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly words?: string;
}

/** The API's words for states, wherever they stand: of orders, cycles, deliveries, endpoints, clocks, shops, pushes. */
const LOOKS: Readonly<Record<string, Look>> = {
  Active: { tone: 'good', icon: 'check' },
  Paused: { tone: 'quiet', icon: 'pause' },
  Pending: { tone: 'bad', icon: 'warning' },
  Deleted: { tone: 'quiet', icon: 'cross' },
  Claimed: { tone: 'busy', icon: 'repeat', words: 'In progress' },
  Charging: { tone: 'busy', icon: 'repeat' },
  Unknown: { tone: 'warning', icon: 'question', words: 'Outcome unknown' },
  Retrying: { tone: 'warning', icon: 'repeat' },
  Waiting: { tone: 'warning', icon: 'clock' },
  Completed: { tone: 'good', icon: 'check' },
  Skipped: { tone: 'quiet', icon: 'skip' },
  Failed: { tone: 'bad', icon: 'cross' },
  Delivered: { tone: 'good', icon: 'check' },
  Succeeded: { tone: 'good', icon: 'check' },
  Disabled: { tone: 'bad', icon: 'cross' },
  Ready: { tone: 'good', icon: 'check' },
  Advancing: { tone: 'busy', icon: 'repeat' },
  Deleting: { tone: 'quiet', icon: 'cross' },
  Sending: { tone: 'busy', icon: 'repeat' },
  Pushed: { tone: 'good', icon: 'check' },
  Differs: { tone: 'bad', icon: 'question' },
  Unverified: { tone: 'warning', icon: 'question' },
  Refused: { tone: 'bad', icon: 'cross' },
  Unreachable: { tone: 'bad', icon: 'warning' },
  Simulated: { tone: 'busy', icon: 'clock' },
};

interface StatusProps {
  /** A word of the API. */
  readonly status: string;
  /** For a word that has another meaning here. */
  readonly tone?: Tone;
  readonly icon?: IconName;
  readonly words?: string;
}

/** A state in words, with an icon and a colour. Words that it does not know look neutral. */
export function Status({ status, tone, icon, words }: StatusProps): ReactElement {
  const look = LOOKS[status] ?? { tone: 'quiet', icon: 'info' };
  return (
    <span className="status" data-tone={tone ?? look.tone}>
      <Icon name={icon ?? look.icon} size={13} />
      {words ?? look.words ?? status}
    </span>
  );
}
