/** A place in the order in which orders fall due. */
export interface Watermark {
  readonly dueUtc: Date;
  readonly scheduledOrderId: number;
}

export const FROM_THE_START: Watermark = { dueUtc: new Date(0), scheduledOrderId: 0 };
