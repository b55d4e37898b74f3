const SECONDS = 60;

/**
 * How long a run has taken, and about how long it still takes: the minutes of the plan, corrected by what its parts
 * have taken so far.
 */
export class Progress {
  /** Of the parts that have ended: what was planned, and what they took, in minutes. */
  planned = 0;
  taken = 0;
  beganPart = null;

  /** @param {{ minutes: number }[]} plan @param {() => number} now in ms */
  constructor(plan, now = () => performance.now()) {
    this.plan = plan;
    this.now = now;
    this.began = now();
    this.done = 0;
  }

  begin() {
    this.beganPart = this.now();
  }

  /** @returns how many seconds the part took. */
  end() {
    const minutes = (this.now() - this.beganPart) / 60_000;
    this.planned += this.plan[this.done].minutes;
    this.taken += minutes;
    this.done++;
    this.beganPart = null;
    return Math.round(minutes * SECONDS);
  }

  get minutesSoFar() {
    return (this.now() - this.began) / 60_000;
  }

  /** Of the part that runs, at least a little is left: nobody knows when it ends. */
  get minutesLeft() {
    const factor = this.planned === 0 ? 1 : this.taken / this.planned;
    const [present, ...later] = this.plan.slice(this.done).map(({ minutes }) => minutes * factor);
    if (present === undefined) return 0;
    const ofPresent = this.beganPart === null ? 0 : (this.now() - this.beganPart) / 60_000;
    return later.reduce((sum, minutes) => sum + minutes, Math.max(present - ofPresent, present / 10));
  }

  toString() {
    return `${duration(this.minutesSoFar)}, about ${duration(this.minutesLeft)} left`;
  }
}

export const duration = (minutes) =>
  minutes < 1 ? `${Math.round(minutes * SECONDS)} s` : `${Math.round(minutes)} min`;
