import { CYCLE_STATES } from '#libs/entities';
import { allowedChanges, TRANSITIONS } from './transitions.js';

const changes = allowedChanges();
const after = (state: string | null) => changes.filter(({ from }) => from === state).map(({ to }) => to);

describe('The transitions of a cycle', () => {
  it('reach every state from the beginning', () => {
    const reached = new Set<string>();
    const queue: (string | null)[] = [null];
    for (const state of queue) for (const to of after(state)) if (!reached.has(to)) queue.push(reached.add(to) && to);
    expect([...reached].sort()).toEqual([...CYCLE_STATES].sort());
  });

  it('lead out of every state but the last ones', () => {
    expect(CYCLE_STATES.filter((state) => after(state).length === 0)).toEqual(['Completed', 'Skipped']);
  });

  it('send nothing without writing it down: Charging begins a cycle, or follows Claimed', () => {
    expect(changes.filter(({ to }) => to === 'Charging')).toEqual([
      { from: null, to: 'Charging' },
      { from: 'Claimed', to: 'Charging' },
    ]);
  });

  it('complete only what was, or may have been, sent', () => {
    expect(changes.filter(({ to }) => to === 'Completed').map(({ from }) => from)).toEqual(['Charging', 'Unknown']);
  });

  it('take up what may have been sent only through its outcome', () => {
    expect(after('Unknown').sort()).toEqual(['Completed', 'Failed', 'Retrying']);
  });

  it('are these, and no others', () => {
    expect(
      Object.fromEntries([null, ...CYCLE_STATES].map((state) => [state ?? 'none', after(state).join(' ')])),
    ).toEqual({
      none: 'Claimed Charging Unknown Skipped',
      Claimed: 'Charging Unknown Retrying Waiting Failed',
      Charging: 'Unknown Retrying Waiting Completed Failed',
      Unknown: 'Retrying Completed Failed',
      Retrying: 'Claimed Unknown Skipped Failed',
      Waiting: 'Claimed Unknown Retrying Skipped Failed',
      Completed: '',
      Skipped: '',
      Failed: 'Retrying Waiting',
    });
  });

  it('say who does it', () => {
    for (const { what } of Object.values(TRANSITIONS)) expect(what).toMatch(/^[A-Z].*\.$/);
  });
});
