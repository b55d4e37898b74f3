import { Injectable } from '@nestjs/common';
import { shareOfAccount } from '#libs/records';

/**
 * The lanes in which a worker sends, and the most deliveries of each that are in flight. In `slow` are endpoints whose
 * latest answer took long, and those that have failed lately. So an endpoint that answers quickly never waits for
 * these.
 */
export const MOST = { quick: 80, slow: 40 } as const;
export const LANES = ['quick', 'slow'] as const;
type Lane = (typeof LANES)[number];

/** Of one endpoint. */
const MOST_OF_ENDPOINT = 10;
/** An answer that takes longer brings its endpoint into the slow lane; one that does not, back again. */
const SLOW_MS = 1_000;
/** The most slow endpoints that a worker remembers. Those that it forgets are slow again after their next answer. */
const MOST_REMEMBERED = 1_000;

/** What a delivery takes a place for. */
export interface Place {
  readonly endpointId: number;
  /** The account of the endpoint's site. */
  readonly account: number;
  readonly lane: Lane;
}

/** Of what no more may be claimed now, and what goes into the slow lane. */
export interface Full {
  readonly endpoints: readonly number[];
  /** Endpoints whose latest answer took long. */
  readonly slowEndpoints: readonly number[];
  /** Accounts that have their share of the lane; null: the lane is full. */
  readonly quick: readonly number[] | null;
  readonly slow: readonly number[] | null;
}

/**
 * The deliveries that this worker is sending. Each takes a place of its endpoint's lane until it has its answer. The
 * places of a lane are shared by account, however many endpoints and sites it has (`shareOfAccount`): who takes long
 * has places for longer, and gets fewer new ones.
 */
@Injectable()
export class InFlight {
  private readonly work = new Map<Promise<void>, Place>();
  private readonly slow = new Set<number>();

  get full(): Full {
    const places = [...this.work.values()];
    const full = (lane: Lane) => {
      if (this.count(lane) >= MOST[lane]) return null;
      const inLane = places.filter((place) => place.lane === lane && !hasRoom(places, place));
      return unique(inLane.map(({ account }) => account));
    };
    const endpoints = unique(places.filter((place) => isBusy(places, place)).map(({ endpointId }) => endpointId));
    return { endpoints, slowEndpoints: [...this.slow], quick: full('quick'), slow: full('slow') };
  }

  /** @returns how many deliveries each endpoint may have now, if those before it take all that they may. */
  room(due: readonly Place[]): number[] {
    const places = [...this.work.values()];
    return due.map((place) => {
      const before = places.length;
      while (!isBusy(places, place) && hasRoom(places, place)) places.push(place);
      return places.length - before;
    });
  }

  count(lane: Lane): number {
    return [...this.work.values()].filter((place) => place.lane === lane).length;
  }

  /** An endpoint has answered, or has not in the time that it had. */
  answered(endpointId: number, milliseconds: number): void {
    this.slow.delete(endpointId);
    if (milliseconds <= SLOW_MS) return;
    this.slow.add(endpointId);
    if (this.slow.size > MOST_REMEMBERED) this.slow.delete([...this.slow][0]!);
  }

  /** Takes a place until `sending` has ended. */
  add(place: Place, sending: Promise<void>): void {
    const counted = sending.finally(() => this.work.delete(counted));
    this.work.set(counted, place);
  }

  /** Resolves when everything that is in flight now has ended. */
  async ended(): Promise<void> {
    await Promise.all(this.work.keys());
  }
}

/** Whether one delivery more of the account may be sent in the lane. */
function hasRoom(places: readonly Place[], { lane, account }: Place): boolean {
  const inLane = places.filter((place) => place.lane === lane);
  const own = inLane.filter((place) => place.account === account).length;
  const [most, taken] = [MOST[lane], inLane.length];
  return taken < most && own < shareOfAccount({ most, taken, own });
}

const isBusy = (places: readonly Place[], { endpointId }: Place): boolean =>
  places.filter((place) => place.endpointId === endpointId).length >= MOST_OF_ENDPOINT;

const unique = (ids: readonly number[]): number[] => [...new Set(ids)];
