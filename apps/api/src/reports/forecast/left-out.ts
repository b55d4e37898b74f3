import { LEFT_OUT_REASONS, type LeftOutReason } from '../../contract/insight/forecast.dto.js';

/** Orders counted by the reason why they are left out. */
export class LeftOut {
  private readonly counts = new Map<LeftOutReason, number>();

  count(reason: LeftOutReason): void {
    this.counts.set(reason, (this.counts.get(reason) ?? 0) + 1);
  }

  toJSON(): readonly { readonly Reason: LeftOutReason; readonly Orders: number }[] {
    return LEFT_OUT_REASONS.flatMap((reason) => {
      const orders = this.counts.get(reason);
      return orders === undefined ? [] : { Reason: reason, Orders: orders };
    });
  }
}
